"""How a server maps URLs to files: the facts that no file of a site shows.

The command line, or ``[tool.linkfix.site]`` in the settings, says them once for all commands.
"""

from dataclasses import dataclass

from linkfix.policy import gate

#: The extensions of programs, whose output is not known.
_PROGRAMS = frozenset({"asp", "aspx", "cgi", "exe", "fcgi", "jsp", "lua", "php", "php3", "php4", "php5", "phtml", "pl", "py", "rb", "sh"})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Serving:
    """How a server maps URLs to files.

    Attributes:
        index: the files that it shows for a folder, besides the common ones (`linkfix.server.listing.INDEX_NAMES`).
        served: patterns as in ``.gitignore`` of paths that programs serve, where no file is missed.
        clean_urls: whether ``/about`` is answered with ``about.html``.
        trailing_slashes: whether ``/about/`` is answered with ``about.html``.
        multiviews: whether ``/about`` and ``/about.html`` are answered with one of ``about.html.de``, ``about.en.html`` and
            other such files, if there is no file of that name (`linkfix.server.listing`).
        ignores_case: whether it finds files by names that differ in case.
        aliases: paths of URLs that end in a slash, each with the folder in which their files are.
        hosts: other hosts that are this site, in lower case, with a port if it is not the default one.
        configuration: files of the server, besides those in the site (`linkfix.server.redirects.files`).

    """

    index: tuple[str, ...] = ()
    served: tuple[str, ...] = ()
    clean_urls: bool = False
    trailing_slashes: bool = False
    multiviews: bool = False
    ignores_case: bool = False
    aliases: tuple[tuple[str, str], ...] = ()
    hosts: tuple[str, ...] = ()
    configuration: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        names = ("index", "served", "aliases", "hosts", "configuration")
        gate.check(dict.fromkeys(names, gate.PATTERNS), self)


def is_program(path: str) -> bool:
    """Return whether a file is a program by its name."""
    return path.rpartition(".")[2].lower() in _PROGRAMS
