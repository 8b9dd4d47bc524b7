"""Options that say how the server of a site maps URLs to files: ``[tool.linkfix.site]`` in the settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from linkfix.cli.options.decorators import PATTERN, with_options
from linkfix.files.access import is_folder
from linkfix.server.addresses import segments
from linkfix.server.serving import Serving

index_option = click.option(
    "--index",
    multiple=True,
    metavar="NAME",
    help="The server shows files of this name for the folder they are in, and their address is that of the folder.",
)


def _aliases(
    _: click.Context, option: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """Return each alias as the path of a URL that ends in a slash, and a folder."""
    aliases = []
    for value in values:
        path, _equals, folder = value.partition("=")
        names = segments(path) if path.startswith("/") else None
        if not names or not folder:
            raise click.BadParameter(
                f"{value!r} is not a path and a folder, such as /img/=static/images", param=option
            )
        if not is_folder(folder):
            raise click.BadParameter(f"{folder} is no folder", param=option)
        aliases.append((f"{path.rstrip('/')}/", folder))
    return tuple(aliases)


def _hosts(_: click.Context, option: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return hosts in lower case."""
    for value in values:
        if not value or not value.isascii() or any(char in value for char in "/?#@ "):
            raise click.BadParameter(
                f"{value!r} is no host, such as www.example.org; write one in Unicode as xn--…",
                param=option,
            )
    return tuple(value.lower() for value in values)


redirect_file_option = click.option(
    "--redirect-file",
    "redirects",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="Redirects of the server: _redirects, .htaccess, nginx, or a link map (.csv, .toml).",
)

_OPTIONS: list[Callable[[Any], Any]] = [
    click.option(
        "--served",
        multiple=True,
        type=PATTERN,
        help="Miss no files at these paths: programs serve them. As in .gitignore: /search, cgi-bin/.",
    ),
    click.option("--clean-urls", is_flag=True, help="The server answers /about with about.html."),
    click.option(
        "--trailing-slashes", is_flag=True, help="The server answers /about/ with about.html."
    ),
    click.option(
        "--multiviews",
        is_flag=True,
        help="The server answers /about and /about.html with about.html.de, about.en.html and the like (Apache's MultiViews).",
    ),
    click.option(
        "--case-insensitive", is_flag=True, help="The server finds About.html as about.html."
    ),
    click.option(
        "--alias",
        "aliases",
        multiple=True,
        callback=_aliases,
        metavar="/PATH/=DIR",
        help="The files of this path of the server are in another folder.",
    ),
    click.option(
        "--host",
        "hosts",
        multiple=True,
        callback=_hosts,
        metavar="HOST",
        help="Another host that is this site, with http and https: www.example.org.",
    ),
]


def serving_options(function: Any) -> Any:
    """Add the options that say how URLs are mapped to files, but for ``--index``."""
    return with_options(_OPTIONS, function)


def serving_from(options: dict[str, Any]) -> Serving:
    """Return how the server maps URLs to files, as `serving_options` and ``--index`` say."""
    return Serving(
        index=options["index"],
        served=options["served"],
        clean_urls=options["clean_urls"],
        trailing_slashes=options["trailing_slashes"],
        multiviews=options["multiviews"],
        ignores_case=options["case_insensitive"],
        aliases=options["aliases"],
        hosts=options["hosts"],
        redirects=options.get("redirects", ()),
    )
