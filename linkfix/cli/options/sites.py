"""Options of commands on sites: how the server maps URLs to files (``[tool.linkfix.site]`` in the settings), and their tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import click

from linkfix.cli.options import documents
from linkfix.cli.options.links import LinkOptions, MapOptions
from linkfix.cli.options.operands import Parsed, PathOrURL
from linkfix.cli.options.table import (
    Where,
    argument,
    base_option,
    bounded,
    choice,
    file_option,
    flag,
    group,
    option,
    patterns_option,
    settings,
    settings_of,
)
from linkfix.files.access import is_folder

if TYPE_CHECKING:
    from linkfix.server.addresses import Serving
    from linkfix.sites.redirects import RedirectTable


def _alias(value: str) -> tuple[str, str]:
    """Return an alias as the path of a URL that ends in a slash, and a folder."""
    from linkfix.server.addresses import segments

    path, _equals, folder = value.partition("=")
    names = segments(path) if path.startswith("/") else None
    if not names or not folder:
        raise ValueError(f"{value!r} is not a path and a folder, such as /img/=static/images")
    if not is_folder(folder):
        raise ValueError(f"{folder} is no folder")
    return f"{path.rstrip('/')}/", folder


def _host(value: str) -> str:
    """Return a host in lower case."""
    if not value or not value.isascii() or any(char in value for char in "/?#@ "):
        raise ValueError(
            f"{value!r} is no host, such as www.example.org; write one in Unicode as xn--…"
        )
    return value.lower()


@settings
class ServingOptions:
    """How the server maps URLs to files.

    Attributes:
        served: Miss no files at these paths: programs serve them. As in .gitignore: /search, cgi-bin/.
        clean_urls: The server answers /about with about.html.
        trailing_slashes: The server answers /about/ with about.html.
        multiviews: The server answers /about and /about.html with about.html.de, about.en.html and the like
            (Apache's MultiViews).
        case_insensitive: The server finds About.html as about.html.
        aliases: The files of this path of the server are in another folder.
        hosts: Another host that is this site, with http and https: www.example.org.
        server_config: Read how the server answers from its file: of Apache, of nginx, _redirects, or a link
            map (.csv, .toml).

    """

    served: tuple[str, ...] = patterns_option(where=Where.SITE)
    clean_urls: bool = flag(where=Where.SITE)
    trailing_slashes: bool = flag(where=Where.SITE)
    multiviews: bool = flag(where=Where.SITE)
    case_insensitive: bool = flag(where=Where.SITE)
    aliases: tuple[tuple[str, str], ...] = option(
        "--alias", where=Where.SITE, multiple=True, type=Parsed(_alias), metavar="/PATH/=DIR"
    )
    hosts: tuple[str, ...] = option(
        "--host", where=Where.SITE, multiple=True, type=Parsed(_host), metavar="HOST"
    )
    server_config: tuple[str, ...] = option(
        "--server-config",
        where=Where.SITE,
        multiple=True,
        type=click.Path(exists=True, dir_okay=False),
        metavar="FILE",
    )

    def serving(self, index: tuple[str, ...]) -> Serving:
        """Return how the server maps URLs to files; `index` names the files that it shows for folders."""
        from linkfix.server.addresses import Serving

        folds, files = self.case_insensitive, self.server_config
        return settings_of(Serving, self, index=index, ignores_case=folds, configuration=files)


@settings
class RedirectOptions:
    """The table of redirects that is written.

    Attributes:
        redirects_path: Write a table of redirects from the old addresses of files to the new ones.
        redirect_format: Which server reads the table; html writes a folder of pages that lead on.

    """

    redirects_path: str | None = file_option("--redirects")
    redirect_format: Literal["nginx", "apache", "caddy", "iis", "netlify", "csv", "html"] = choice(
        "nginx"
    )

    def table(self) -> RedirectTable | None:
        """Return the table that the options ask for; None for none."""
        from linkfix.sites.redirects import RedirectTable

        path, form = self.redirects_path, self.redirect_format
        if path is not None and form != "html" and is_folder(path):
            raise click.BadParameter(f"File {path!r} is a directory.", param_hint="'--redirects'")
        return None if path is None else RedirectTable(path, form)


@settings
class GraphOptions:
    """The settings of ``linkfix graph``.

    Attributes:
        output: How the graph is written; csv has the links only.
        broken: Write only links that lead nowhere.
        orphans: Write only the documents that no other document links to.
        base: The address of the folder.
        quiet: Say nothing but errors.

    """

    paths: tuple[str, ...] = argument(
        metavar="PATH...", nargs=-1, required=True, type=PathOrURL(exists=True, file_okay=False)
    )
    output: Literal["jsonl", "csv", "graphml", "dot"] = choice("jsonl", "--format")
    output_path: str | None = documents.output_option()
    broken: bool = flag()
    orphans: bool = flag()
    base: str | None = base_option(documents.folder_address)
    index: tuple[str, ...] = documents.index_option()
    serving: ServingOptions = group(ServingOptions)
    charset: str | None = documents.charset_option()
    quiet: bool = documents.quiet_option()
    tree: documents.TreeOptions = group(documents.TreeOptions)
    links: LinkOptions = group(LinkOptions)


@settings
class MvOptions:
    """The settings of ``linkfix mv``.

    Attributes:
        root: The root of the site, in which OLD and NEW are.  [default: the current folder]
        base: The address of the root.
        dry_run: Change nothing; list the files that would change.
        diff: Change nothing; write a diff of the documents.
        after: OLD has become NEW already: rewrite the links, move nothing.
        resume: Go on with a move that was stopped or killed.
        report_path: Write one line of JSON for each link that was changed.
        quiet: Say nothing but what is wrong.

    """

    old: str = argument(type=click.Path())
    new: str = argument(type=click.Path())
    root: str | None = option(where=Where.SITE, metavar="DIR")
    base: str | None = base_option(documents.folder_address)
    index: tuple[str, ...] = documents.index_option()
    serving: ServingOptions = group(ServingOptions)
    charset: str | None = documents.charset_option()
    redirect: RedirectOptions = group(RedirectOptions)
    dry_run: bool = flag(where=Where.LINE)
    diff: bool = flag(where=Where.LINE)
    after: bool = flag(where=Where.LINE)
    resume: bool = flag(where=Where.LINE)
    report_path: str | None = file_option("--report")
    verify: bool = documents.verify_option()
    quiet: bool = documents.quiet_option()
    tree: documents.TreeOptions = group(documents.TreeOptions)
    links: LinkOptions = group(LinkOptions)


def _row(value: str) -> tuple[str, str]:
    from linkfix.server.headers import row

    return row(value)


def _labels_option(name: str) -> Any:
    return option(name, multiple=True, type=Parsed(_row), metavar="[PATTERN=]LABEL")


def _extension(value: str) -> tuple[str, str]:
    old, equals, new = value.partition("=")
    good = equals and all(len(each) > 1 and each[0] == "." for each in (old, new))
    if not good or "/" in value or "\0" in value:
        raise ValueError(f"{value!r} is not like .htm=.html")
    return old, new


def _utf_8(value: str) -> str:
    from linkfix.charset import lookup

    if lookup(value).name != "UTF-8":
        raise ValueError(
            f"{value} is no charset to migrate to; HTML has to be in UTF-8 (HTML Standard, 4.2.5.4)"
        )
    return value


def _root(value: str) -> str:
    from linkfix.server.addresses import SiteAddress

    return SiteAddress.at(value).root


@settings
class MigrateOptions:
    """The settings of ``linkfix migrate``.

    Attributes:
        charset: The charset of the new documents.
        to: Rewrite all links to canonical URIs or readable IRIs; otherwise only those that have to.
        base: The address of the folder SRC.
        extensions: Give files another extension, as .htm=.html.
        names: The charset that names on disk are in; they become UTF-8.
        headers: The charset in the Content-Type headers of the old server.
        fix_case: Correct links that reach a file by other case.
        unescape: Write characters as themselves that were references.
        forms: Let forms go on being submitted in the old charset, or leave them as they are.
        exclude: Leave files and folders behind, by patterns as in .gitignore.
        copy: Copy these files as they are, although they look like documents: *.inc, templates/.
        parts: Files that pages include: they get no declaration, and are in the charset of the
            pages.  [default: *.inc, *.ssi, and what <!--#include --> names]
        pages: Migrate these files too, although a server runs code in them, as *.php: markup and text; the code
            stays, in the new charset.
        decisions_path: Take the charsets of pages that declare none from this file; write into it what is to be
            decided, with the evidence.
        accept: Go on although something needs a decision.
        accept_guesses: Write pages in UTF-8 whose charset was guessed; otherwise they are copied.
        accept_losses: Write files with octets that are malformed in their charset, which become U+FFFD;
            otherwise they are copied.
        hard_link: Make hard links of files that do not change.
        resume: Go on with a migration that was stopped or killed.
        dry_run: Do everything but write the new tree.
        report_path: Write what was done and found as lines of JSON.
        quiet: Say nothing but errors.

    """

    source: str = argument(metavar="SRC", type=PathOrURL(exists=True, file_okay=False))
    target: str = argument(metavar="DST", type=PathOrURL(writes=True))
    charset: str = option(type=Parsed(_utf_8), default="utf-8", show_default=True, metavar="utf-8")
    to: Literal["uri", "iri"] | None = choice(None)
    base: str | None = base_option(_root)
    map: MapOptions = group(MapOptions)
    extensions: tuple[tuple[str, str], ...] = option(
        "--rename", multiple=True, type=Parsed(_extension), metavar=".OLD=.NEW"
    )
    names: tuple[tuple[str, str], ...] = _labels_option("--rename-charset")
    headers: tuple[tuple[str, str], ...] = _labels_option("--source-charset")
    fix_case: bool = flag()
    unescape: bool = flag()
    forms: Literal["pin", "leave"] = choice("pin")
    redirect: RedirectOptions = group(RedirectOptions)
    exclude: tuple[str, ...] = patterns_option()
    index: tuple[str, ...] = documents.index_option()
    copy: tuple[str, ...] = patterns_option()
    serving: ServingOptions = group(ServingOptions)
    parts: tuple[str, ...] = patterns_option("--part")
    pages: tuple[str, ...] = patterns_option("--page")
    decisions_path: str | None = file_option("--decisions", dir_okay=False)
    accept: bool = flag(where=Where.LINE)
    accept_guesses: bool = flag(where=Where.LINE)
    accept_losses: bool = flag(where=Where.LINE)
    hard_link: bool = flag(where=Where.LINE)
    work: documents.JobOptions = group(documents.JobOptions)
    resume: bool = flag(where=Where.LINE)
    dry_run: bool = flag(where=Where.LINE)
    report_path: str | None = file_option("--report", dir_okay=False)
    verify: bool = documents.verify_option()
    quiet: bool = documents.quiet_option()
    links: LinkOptions = group(LinkOptions)


@settings
class VerifyOptions:
    """The settings of ``linkfix verify``.

    Attributes:
        transcoded: The new documents are in UTF-8, and name it where the old ones named another charset.
        urls: Compare no documents; ask NEW for the old addresses in a sitemap, an access log, a list, or
            the folder OLD.
        ask: Ask the server at this address over HTTP, instead of the model of NEW: http://127.0.0.1:8000
        rate: Ask at most so often in a second; another machine is asked only if this is said.
        quiet: Write no summary.

    """

    old: str = argument(type=PathOrURL())
    new: str = argument(type=PathOrURL())
    transcoded: bool = flag()
    urls: str | None = option(where=Where.LINE, type=click.Path(exists=True), metavar="FILE")
    ask: str | None = option(where=Where.LINE, metavar="URL")
    rate: int = bounded("N", 0, 0, where=Where.LINE)
    serving: ServingOptions = group(ServingOptions)
    quiet: bool = documents.quiet_option()
    tree: documents.TreeOptions = group(documents.TreeOptions)
    map: MapOptions = group(MapOptions)
    document: documents.DocumentOptions = group(documents.DocumentOptions)
    links: LinkOptions = group(LinkOptions)
