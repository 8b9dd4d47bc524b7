"""Options that say how the server of a site maps URLs to files: ``[tool.linkfix.site]`` in the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from linkfix.cli.options.operands import Parsed
from linkfix.cli.options.table import (
    Where,
    choice,
    file_option,
    flag,
    option,
    patterns_option,
    settings,
    settings_of,
)
from linkfix.files.access import is_folder

if TYPE_CHECKING:
    from linkfix.server.serving import Serving
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
        from linkfix.server.serving import Serving

        folds, files = self.case_insensitive, self.server_config
        return settings_of(Serving, self, index=index, ignores_case=folds, configuration=files)


@settings
class RedirectOptions:
    """The table of redirects that is written.

    Attributes:
        redirects_path: Write a table of redirects from the old addresses of files to the new ones.
        redirect_format: Which server reads the table; html writes a folder of pages that lead on.

    """

    redirects_path: str | None = file_option("--redirects", dir_okay=False)
    redirect_format: Literal["nginx", "apache", "caddy", "iis", "netlify", "csv", "html"] = choice(
        "nginx"
    )

    def table(self) -> RedirectTable | None:
        """Return the table that the options ask for; None for none."""
        from linkfix.sites.redirects import RedirectTable

        path = self.redirects_path
        return None if path is None else RedirectTable(path, self.redirect_format)
