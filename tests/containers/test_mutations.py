"""Mutated containers: refused or right, nothing half-written, nothing outside."""

from __future__ import annotations

import io
import random
import shutil
import struct
import tarfile
import zipfile
from contextlib import closing
from typing import TYPE_CHECKING

import packages
import pytest
from click.testing import CliRunner
from effort import growth
from tiers import examples

from linkfix.cli.group import cli as main
from linkfix.containers import Changes, Container, opened
from linkfix.errors import LimitExceededError, LinkfixError

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = {
    "book.epub": packages.as_zip(packages.BOOK, comment=b"x"),
    "a.docx": packages.as_zip(packages.DOCX),
    "t.tar": packages.as_tar(packages.SITE),
    "t.tar.gz": packages.as_tar_gz(packages.SITE),
    "p.mht": packages.MHT,
    "m.eml": packages.EML,
}
#: What decides where parts of messages begin and end, and how they are spelled.
MARKS = [b"\r\n", b"\n", b"\n\n", b"\r", b"--", b"\n--rel\n", b"=", b"=\n", b": ", b"\n ", b"\x1b", b'"', b"<"]  # fmt: skip


def copy(container: Container, **new: bytes) -> bytes:
    """A container with new content of some members."""
    with closing(Changes()) as changes:
        for name, content in new.items():
            changes.add(name, io.BytesIO(content))
        return b"".join(container.copy(changes))


def mutated(data: bytes, dice: random.Random) -> bytes:
    """Octets with a few changes: of bits, of numbers, cut off, doubled."""
    made = bytearray(data)
    for _ in range(dice.choice([1, 1, 2, 5])):
        at = dice.randrange(len(made))
        match dice.randrange(6):
            case 0:
                made[at] ^= 1 << dice.randrange(8)
            case 1:
                made[at : at + 4] = struct.pack(
                    "<L", dice.choice([0, 1, 0xFFFFFFFF, 0x7FFFFFFF, dice.randrange(1 << 32)])
                )
            case 2:
                del made[at : at + dice.randrange(1, 40)]
            case 3:
                made[at:at] = made[dice.randrange(len(made)) :][: dice.randrange(1, 60)]
            case 4:
                del made[at:]
            case _:
                # The headers of members are where most can go wrong.
                heads = [n for n in range(len(made) - 4) if made[n : n + 2] == b"PK"]
                if heads:
                    head = dice.choice(heads) + dice.randrange(2, 46)
                    made[min(head, len(made) - 1)] = dice.randrange(256)
                elif b"Content-Type" in data:
                    made[at:at] = dice.choice(MARKS)
        if not made:
            return b"PK"
    return bytes(made)


def content(data: bytes, name: str) -> dict[str, bytes] | None:
    """What is in a container as linkfix reads it; None for a damaged one."""
    from linkfix.files.local import decoded

    found: dict[str, bytes] = {}
    try:
        container = opened(decoded(io.BytesIO(data), name), name)
        for member in container.sizes:
            with container.open(member) as file:
                found[member] = file.read()
    except LinkfixError:
        return None
    return found


@pytest.mark.parametrize("name", WHOLE)
def test_a_mutated_container_is_refused_or_right(name: str, tmp_path: Path) -> None:
    dice = random.Random(name)
    folder = tmp_path / "in"
    folder.mkdir()
    path = folder / name
    changed = refused = 0
    is_message = name in {"p.mht", "m.eml"}
    for _ in range(examples(300, 150 if is_message else 40)):
        data = mutated(WHOLE[name], dice)
        path.write_bytes(data)
        done = CliRunner().invoke(main, ["rewrite", "-q", "-i", str(path)])
        assert done.exit_code in {0, 3}, done.output
        assert "fault of linkfix" not in done.stderr, (done.stderr, data)
        assert [each.name for each in folder.iterdir()] == [name]
        new = path.read_bytes()
        before, after = content(data, name), content(new, name)
        refused += done.exit_code == 3
        if new == data:
            continue
        changed += 1
        if before is None:  # one member is damaged: the others are read
            continue
        assert after is not None
        assert [*after] == [*before]
        for member, octets in before.items():
            if after[member] != octets:
                assert b"%" in after[member] or member.endswith("svgz")
        if is_message:
            was, now = packages.message_parts(data), packages.message_parts(new)
            assert [fields for fields, _ in now] == [fields for fields, _ in was]
            assert all(
                b"%" in two for (_, one), (_, two) in zip(was, now, strict=True) if one != two
            )
        again = CliRunner().invoke(main, ["rewrite", "-q", "-i", str(path)])
        assert again.exit_code == done.exit_code
        assert path.read_bytes() == new
    assert changed
    assert refused


#: Commands that change a container, or make one of it, with the file that moves.
MOVED = {"book.epub": "OPS/b c.xhtml", "t.tar": "b c.html", "t.tar.gz": "a", "a.docx": "word/media/i.png"}  # fmt: skip
COMMANDS = {
    "fix": ["audit", "-q", "--fix", "{old}"],
    "mv": ["mv", "-q", "--root", "{old}", "{moved}", "n/m.x"],
    "migrate": ["migrate", "-q", "--accept", "{old}", "{new}"],
}


@pytest.mark.nightly
@pytest.mark.parametrize("name", WHOLE)
def test_other_commands_refuse_a_mutated_container_or_are_right(name: str, tmp_path: Path) -> None:
    dice = random.Random(f"other {name}")
    folder = tmp_path / "in"
    folder.mkdir()
    old, new = folder / name, folder / f"new-{name}"
    done: dict[str, list[int]] = {command: [] for command in COMMANDS}
    for _ in range(175):
        data = mutated(WHOLE[name], dice)
        old.write_bytes(data)
        command = dice.choice([*COMMANDS])
        names = {"old": old, "new": new, "moved": MOVED.get(name, "1.html")}
        ran = CliRunner().invoke(main, [each.format(**names) for each in COMMANDS[command]])
        status = 3 if isinstance(ran.exception, LinkfixError) else ran.exit_code
        done[command].append(status)
        assert status in {0, 1, 2, 3}, ran.output
        assert "fault of linkfix" not in ran.stderr, (ran.stderr, data)
        before, after = content(data, name), content(old.read_bytes(), name)
        if command == "migrate":
            assert old.read_bytes() == data
            if new.exists():
                made = content(new.read_bytes(), name)
                assert made is not None
                assert [*made] == [*(before or made)]
                new.unlink()
            else:
                assert status > 1
        elif status and command == "mv":
            assert old.read_bytes() == data
        elif before is not None:
            assert after is not None
            assert len(after) == len(before)
        left = {each.name for each in folder.iterdir()}
        if status == 3 and f".linkfix-{new.name}" in left:  # for --resume
            shutil.rmtree(folder / f".linkfix-{new.name}")
            left.remove(f".linkfix-{new.name}")
        assert left == {name}
        assert [each.name for each in tmp_path.iterdir()] == ["in"]
    assert all({0, 1}.intersection(statuses) for statuses in done.values()) or name in {"p.mht", "m.eml", "a.docx"}  # fmt: skip
    assert all({2, 3}.intersection(statuses) for statuses in done.values())


def test_what_expands_without_end_meets_a_limit() -> None:
    out = io.BytesIO()
    with (
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("a.html", "w", force_zip64=True) as file,
    ):
        for _ in range(300):
            file.write(bytes(1 << 20))
    container = opened(out, "a.zip")
    with pytest.raises(LimitExceededError):
        container.open("a.html")


def test_members_that_share_octets_are_refused() -> None:
    """As in a bomb: a hundred entries for one compressed member."""
    one = packages.as_zip({"a": bytes(10000), "b": bytes(10000)})
    with zipfile.ZipFile(io.BytesIO(one)) as archive:
        first, second = archive.infolist()
        at = archive.start_dir
    offset = one.index(b"PK\1\2", at + 1) + 42
    assert struct.unpack_from("<L", one, offset)[0] == second.header_offset
    made = one[:offset] + struct.pack("<L", first.header_offset) + one[offset + 4 :]
    with pytest.raises(LinkfixError, match="overlap"):
        opened(io.BytesIO(made), "a.zip")


def test_the_work_for_entries_of_folders_is_linear() -> None:
    def renamed(count: int) -> None:
        container = Container()
        for number in range(count):
            container.add(f"d{number}/a.html", 1)
        names = {name: f"n/{name}" for name in container.sizes}
        found = container.with_folders(names, [f"d{number}/" for number in range(count)])
        assert found["d0/"] == "n/d0/"

    assert growth(renamed, 100) < 2.2


def _streamed(files: dict[str, bytes]) -> bytes:
    """A ZIP file made without seeking: sizes and checksums in data descriptors, and ZIP64 extra fields."""

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def seek(self, *_: object) -> int:
            raise OSError

        def tell(self) -> int:
            raise OSError

    out = Pipe()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            with archive.open(zipfile.ZipInfo(name), "w", force_zip64=True) as file:
                file.write(data)
    return out.getvalue()


def _zip64(data: bytes) -> bytes:
    """The same ZIP file with the end records and an offset of ZIP64."""
    end = data.rindex(b"PK\5\6")
    fields = [*struct.unpack_from("<4s4H2LH", data, end)]
    start = fields[6]
    directory = data[start:end]
    head = [*struct.unpack_from("<4s6H3L5H2L", directory)]
    rest, name = directory[46:], head[10]
    extra = struct.pack("<2HQ", 1, 8, head[16])
    head[16], head[11] = 0xFFFFFFFF, head[11] + len(extra)
    directory = struct.pack("<4s6H3L5H2L", *head) + rest[:name] + extra + rest[name:]
    end64 = struct.pack(
        "<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, fields[3], fields[4], len(directory), start
    )
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, start + len(directory), 1)
    fields[3:7] = 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF
    return data[:start] + directory + end64 + locator + struct.pack("<4s4H2LH", *fields)


PLAIN = {name: data for name, data in packages.SITE.items() if name != "x y.png"}


@pytest.mark.parametrize(
    "data",
    [_streamed(PLAIN), _zip64(packages.as_zip(PLAIN)), b"#!/bin/sh\nexit\n" + packages.as_zip(PLAIN), _zip64(_streamed(PLAIN))],
    ids=["descriptors", "zip64", "prefix", "both"],
)  # fmt: skip
def test_forms_of_zip_files_are_read_and_written(data: bytes) -> None:
    container = opened(io.BytesIO(data), "a.zip")
    assert {name: container.open(name).read() for name in container.sizes} == PLAIN
    assert copy(container) == data
    for name, old in PLAIN.items():
        new = copy(container, **{name: b"other" * 100})
        assert packages.contents(new) == PLAIN | {name: b"other" * 100}
        assert {name for name, octets in packages.records(new).items() if octets != packages.records(data)[name]} == {name}  # fmt: skip
        again = opened(io.BytesIO(new), "a.zip")
        assert packages.contents(copy(again, **{name: old})) == PLAIN


@pytest.mark.parametrize("kind", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_forms_of_tar_archives_are_read_and_written(kind: int) -> None:
    files = {
        name: data
        for name, data in packages.SITE.items()
        if kind != tarfile.USTAR_FORMAT or name.isascii()
    }
    data = packages.as_tar(files, kind)
    container = opened(io.BytesIO(data), "a.tar")
    assert copy(container) == data
    for name in files:
        new = copy(container, **{name: b"other" * 300})
        assert packages.contents(new) == files | {name: b"other" * 300}
