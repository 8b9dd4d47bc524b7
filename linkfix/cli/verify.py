"""``linkfix verify``: compare documents before and after a change of their links."""

from collections import Counter
from dataclasses import replace
from urllib.parse import urlsplit

import click

from linkfix.cli.batch import follow
from linkfix.cli.options.operands import ask_about, check
from linkfix.cli.options.settings import command as made_command
from linkfix.cli.options.sites import VerifyOptions
from linkfix.cli.output import escape, number, say, write
from linkfix.errors import place_of
from linkfix.files.access import exists
from linkfix.files.tree import as_folder
from linkfix.sites.comparing import Compared, VerifySettings, verify_site


@made_command(
    "verify", VerifyOptions, first="--transcoded --map --base --charset --include --exclude -j -q"
)
def command(ctx: click.Context, options: VerifyOptions) -> int:
    """Compare documents before and after a change of their links, whatever made it.

    OLD and NEW are two files, or two folders with the same names in them. The documents are read by
    independent parsers: lexbor for HTML, libxml2 for XML, ada-url for where links lead. Nothing but
    the values of links may differ, each link must lead where it led (with --map: where the map
    leads it), and the charset must be the same. The first difference of each document is written.

    With --urls the new site is asked for the old addresses instead: by the model of its server, or over HTTP (--ask). Each
    address that is lost, or shows other content than before, is written.

    The exit status is 1 for a difference, and 3 where a document cannot be read.
    """
    from linkfix.verifying import is_available

    if not is_available():
        raise click.UsageError("verify needs two packages: pip install 'linkfix[verify]'")
    old, new = options.old, options.new
    ask_about((old, new))
    missing = "".join(f"; there is no {path}" for path in (old, new) if not exists(path))
    check(
        {
            "verify does not read WARC files; leave out --type warc.": options.document.type
            == "warc",
            f"OLD and NEW must be two files or two folders{missing}.": bool(as_folder(old))
            != bool(as_folder(new)),
        }
    )
    if options.urls is not None:
        return _ask(options, options.urls)
    sources = options.document.settled(ctx, (old,))
    settings = VerifySettings(
        policy=options.links.policy(style=options.map.style),
        sources=sources,
        # `migrate` copies the containers of a folder.
        selection=options.tree.selection(archives=not options.transcoded)._replace(warc=False),
        workers=options.tree.work.workers(),
        link_map=options.map.target(sources.site),
        transcoded=options.transcoded,
    )
    counts = {True: 0, False: 0}

    def take(event: object) -> int:
        if not isinstance(event, Compared):
            return 0
        counts[event.is_same] += 1
        if not event.is_same:
            write(escape(_text(event)))
        return int(not event.is_same)

    status = follow(lambda stop: verify_site(old, new, settings, stop=stop), take, data=True)
    documents = number(sum(counts.values()), "document")
    say(f"{documents} compared, {counts[False]:,} with a difference")
    return status


def _ask(options: VerifyOptions, urls: str) -> int:
    """Ask the new site for old addresses; return the exit status."""
    from linkfix.sites.answering import AddressSettings, Answered, ask

    origin = options.ask or ""
    host = urlsplit(origin).hostname or ""
    check(
        {
            "--urls needs --base, the address of both sites.": options.document.base is None,
            "OLD and NEW must be folders.": not (as_folder(options.old) and as_folder(options.new)),
            f"--ask names no server: {origin}": origin and not host,
            f"{host} is another machine; say how often it may be asked: --rate 2": host and not (options.rate or host.startswith("127.") or host in {"localhost", "::1"}),
        }
    )  # fmt: skip
    serving = options.serving.serving(options.document.index)
    settings = AddressSettings(
        base=options.document.base or "",
        policy=options.links.policy(),
        old=replace(serving, configuration=()),
        new=serving,
        origin=origin,
        rate=options.rate,
    )
    counts = Counter[str]()

    def take(event: object) -> int:
        if not isinstance(event, Answered):
            return 0
        counts[event.verdict] += 1
        if event.verdict not in {"lost", "other"}:
            return 0
        there = f" {event.there}" * bool(event.there)
        link = f"; the link {event.link} leads elsewhere" * bool(event.link)
        write(escape(f"{event.uri}: {event.verdict}{there}; was {event.was}{link}"))
        return 1

    status = follow(lambda _: ask(urls, options.old, options.new, settings), take, data=True)
    said = ", ".join(f"{name} {counts[name]:,}" for name in ("same", "redirected", "lost", "other", "unknown"))  # fmt: skip
    say(f"{counts.total():,} old addresses: {said}")
    return status


def _text(event: Compared) -> str:
    """Return a difference as one line."""
    if event.difference is None:
        return f"{event.path}: there is no {event.new}"
    place = place_of(event.path, event.difference.line, event.difference.column)
    return f"{place}: {event.difference}"
