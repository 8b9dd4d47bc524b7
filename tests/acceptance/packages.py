"""Real documentation: Debian packages, downloaded once, unpacked side by side into one site.

Input: ``packages.toml``. Output: a folder for each package, as on a web server. `apt-get
download` asks the user's own mirror and checks the signatures; the archives are kept in a cache
outside of the repository (``LINKFIX_ACCEPTANCE_CACHE``, else ``linkfix-acceptance`` in the user's cache
folder). Today's packages are nearly all in UTF-8: some are encoded in a legacy charset here.
Where there is no apt-get or no network, `Missing` says so.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

__all__ = ["Missing", "Package", "packages", "unpack"]

_LIST = Path(__file__).with_name("packages.toml")
#: What Python calls the charsets of the list.
_CODECS = {"EUC-KR": "cp949", "GBK": "gbk", "Shift_JIS": "cp932", "ISO-2022-JP": "iso2022_jp"}
_DECLARATION = re.compile(rb"""((?:charset|encoding)\s*=\s*["']?)utf-8""", re.IGNORECASE)
_META = re.compile(rb"<meta[^>]*charset[^>]*>|<\?xml[^>]*\?>\s*", re.IGNORECASE)
#: How many bytes of a page contain the declaration of its charset.
_HEAD = 4096


class Missing(Exception):  # noqa: N818 - no error: tests are skipped with it
    """A package cannot be had here; its text says why."""


@dataclass(frozen=True, slots=True)
class Package:
    """A line of the list.

    Attributes:
        name: of the Debian package.
        has: what it is read for.
        charset: label of the charset that its UTF-8 pages are encoded in; "" for none.
        declare: where that charset is declared.
        full: whether it is only read in a full run.
        part: folder of the package that is read where the run is not full; "" for all of it.

    """

    name: str
    has: str
    charset: str = ""
    declare: Literal["document", "server", "nobody"] = "document"
    full: bool = False
    part: str = ""


def packages(*, full: bool) -> list[Package]:
    """Return the packages of a run, in the order of the list."""
    table = tomllib.loads(_LIST.read_text("utf-8"))["package"]
    found = [Package(**row) for row in table]
    if full:
        return [replace(package, part="") for package in found]
    return [package for package in found if not package.full]


def unpack(package: Package, site: Path) -> Path:
    """Unpack a package into a folder of its name below `site`.

    Raises:
        Missing: there is no apt-get, no network, or no such package in this release of Debian.

    """
    folder = site / package.name
    archive = _download(package.name)
    site.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=site.parent) as temporary:
        whole = Path(temporary, "package")
        subprocess.run(["dpkg-deb", "-x", archive, whole], check=True)
        shutil.move(whole / package.part, folder)
    if package.charset:
        for path in sorted(folder.rglob("*.html")):
            if not path.is_symlink():
                path.write_bytes(_encoded(path.read_bytes(), package))
    if package.declare == "server":
        (folder / ".htaccess").write_text(f"AddDefaultCharset {package.charset}\n")
    return folder


def _cache() -> Path:
    if named := os.environ.get("LINKFIX_ACCEPTANCE_CACHE"):
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "linkfix-acceptance")


def _download(name: str) -> Path:
    """Return the archive of a package, from the cache if it is there."""
    for program in ("apt-get", "dpkg-deb"):
        if shutil.which(program) is None:
            raise Missing(f"{name}: not on the PATH: {program}")
    cache = _cache()
    cache.mkdir(parents=True, exist_ok=True)
    there = sorted(cache.glob(f"{name}_*.deb"))
    if there:
        return there[-1]
    options = ["-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20"]
    command = ["apt-get", "-qq", *options, "download", name]
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        try:
            done = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, timeout=120, check=False
            )
        except subprocess.TimeoutExpired:
            raise Missing(f"{name}: apt-get download takes longer than 120 s") from None
        found = sorted(Path(folder).glob(f"{name}_*.deb"))
        if done.returncode or not found:
            raise Missing(f"{name}: apt-get download: {done.stderr.strip()}")
        return found[-1].replace(cache / found[-1].name)


def _encoded(page: bytes, package: Package) -> bytes:
    """Encode a page in UTF-8 in another charset; missing characters become character references."""
    head, rest = page[:_HEAD], page[_HEAD:]
    if package.declare == "document":
        head = _DECLARATION.sub(rb"\g<1>" + package.charset.encode(), head)
    else:
        head = _META.sub(b"", head)
    codec = _CODECS.get(package.charset, package.charset)
    return (head + rest).decode().encode(codec, "xmlcharrefreplace")
