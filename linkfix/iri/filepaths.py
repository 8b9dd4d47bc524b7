"""Names of files and ``file`` URIs, there and back (RFC 8089; 3987bis, 8.4).

A name is a string of characters, whatever charset the file system has; its octets in a URI are those of UTF-8. Octets
of a name that are not UTF-8 are lone surrogates (PEP 383) and keep their values.
"""

import re
from typing import Final, Literal, TypeAlias

from linkfix.iri import chars
from linkfix.iri.model import need
from linkfix.iri.octets import percent_decode
from linkfix.iri.reference import parse

Flavour: TypeAlias = Literal["posix", "windows"]

#: The prefixes of paths that Windows takes as they are.
_VERBATIM: Final = re.compile(r"\A[\\/]{2}\?[\\/](?:(UNC)[\\/])?", re.IGNORECASE | re.ASCII)
_HOST: Final = re.compile(rf"[{chars.UNRESERVED}]+")
_NOT_PATH: Final = re.compile(f"[^{chars.COMPONENT['path']}]+")
_DRIVE: Final = re.compile(r"([A-Za-z]):(?=[\\/])")
_URI_DRIVE: Final = re.compile(r"/([A-Za-z])[:|](?=/|\Z)")


def path_to_uri(path: str, flavour: Flavour = "posix") -> str:
    r"""Return the ``file`` URI of an absolute path (RFC 8089, 2, E.2 and E.3).

    Args:
        path: absolute; for ``windows`` with a drive letter or as a UNC string, with or without ``\\?\`` in front.
        flavour: of the path.

    Raises:
        ValueError: the path is not absolute, or its host is none that a URI can have.

    """
    need(("posix", "windows"), flavour=flavour)
    host = ""
    if flavour == "windows":
        path = _VERBATIM.sub(lambda found: "//" if found[1] else "", path).replace("\\", "/")
        if _DRIVE.match(path):
            path = f"/{path}"
        elif path.startswith("//") and not path.startswith("///"):
            host, _, path = path[2:].partition("/")
            path = f"/{path.lstrip('/')}"
            if not _HOST.fullmatch(host):
                raise ValueError(f"no URI can have the host {host!r}")
        else:
            raise ValueError(f"{path!r} has neither a drive letter nor a host")
    elif not path.startswith("/"):
        raise ValueError(f"{path!r} is not absolute")
    return f"file://{host}" + _NOT_PATH.sub(
        lambda found: chars.quote_octets(found[0].encode("utf-8", "surrogateescape")), path
    )


def uri_to_path(uri: str, flavour: Flavour = "posix") -> str:
    """Return the path that a ``file`` URI or IRI names (RFC 8089, 2, E.2 and E.3).

    Args:
        uri: absolute.
        flavour: of the path.

    Raises:
        ValueError: the URI names no file, none on this machine, or none that can have such a name.

    """
    need(("posix", "windows"), flavour=flavour)
    reference = parse(uri)
    if (reference.scheme or "").lower() != "file" or not reference.path.startswith("/"):
        raise ValueError(f"{uri!r} is no absolute file URI")
    host = (reference.host or "").lower()
    host = "" if host == "localhost" else host
    for segment in reference.path.split("/"):
        octets = percent_decode(segment)
        if b"/" in octets or b"\0" in octets or (flavour == "windows" and b"\\" in octets):
            raise ValueError(f"no file can have the name {segment!r}")
    path = percent_decode(reference.path).decode("utf-8", "surrogateescape")
    if flavour == "posix":
        if host:
            raise ValueError(f"{uri!r} is a file on {host}")
        return path
    drive = _URI_DRIVE.match(path)
    if drive and not host:
        path = f"{drive[1]}:{path[3:] or '/'}"
    elif host:
        path = f"//{host}{path}"
    else:
        raise ValueError(f"{uri!r} has neither a drive letter nor a host")
    return path.replace("/", "\\")
