"""The file systems of URLs: their packages, their errors, and what is refused."""

import contextlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from linkfix.errors import LinkfixError, UnreadableError
from linkfix.files.paths import ARCHIVES, UNLISTED, is_remote, scheme_of, split

#: The packages of common file systems, by their schemes.
_PACKAGES = {"s3": "s3fs", "s3a": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "http": "aiohttp", "https": "aiohttp",
             "abfs": "adlfs", "az": "adlfs", "hdfs": "pyarrow", "sftp": "paramiko", "ssh": "paramiko", "smb": "smbprotocol"}  # fmt: skip
#: How many code points of another package's message are quoted.
_QUOTED = 300


def check(url: str) -> None:
    """Refuse a remote path that cannot be used: a missing package, a password; load its package.

    Raises:
        UnreadableError: the reason, and the way out.

    """
    scheme = scheme_of(url)
    with contextlib.suppress(ValueError):
        authority = urlsplit(url).netloc
        if "@" in authority and ":" in authority.rpartition("@")[0]:
            user, _, rest = authority.rpartition("@")
            masked = url.replace(authority, f"{user.partition(':')[0]}:***@{rest}", 1)
            raise UnreadableError(
                "a password in a URL is shown to everyone who lists processes",
                hint="set it in the environment or in the configuration of fsspec",
                file=masked,
            )
    if scheme in {"file", "local"}:
        raise UnreadableError("this file is on this machine", hint="name its path", file=url)
    if scheme in ARCHIVES and not split(url)[1]:
        raise UnreadableError(
            "this names no archive",
            hint=f"put it after two colons: {scheme}://::archive.{scheme}",
            file=url,
        )
    if scheme in ARCHIVES and is_remote(outer := split(url)[1][2:]):
        check(outer)
    kind_of(url)


def kind_of(url: str) -> Any:
    """Return the class of the file system of a URL.

    Raises:
        UnreadableError: its package is not installed.

    """
    scheme = scheme_of(url)
    package = _PACKAGES.get(scheme)
    try:
        import fsspec

        return fsspec.get_filesystem_class(scheme)
    except (ImportError, ValueError) as error:
        needed = f"the packages fsspec and {package}" if package else "another package"
        raise UnreadableError(
            f"{scheme}:// needs {needed}: {error}",
            hint=f"pip install 'linkfix[remote]' {package or ''}".rstrip(),
            file=url,
        ) from error


@contextlib.contextmanager
def failing(url: str, what: str) -> Iterator[None]:
    """Convert every exception of a file system to an UnreadableError about a URL."""
    try:
        yield
    except (LinkfixError, MemoryError):
        raise
    except Exception as error:
        raise _failure(url, what, error) from error


def _failure(url: str, what: str, error: Exception) -> UnreadableError:
    cause = error
    # Whatever fails, the file system of HTTP says that there is no file.
    is_any = scheme_of(url) in UNLISTED and isinstance(error, FileNotFoundError)
    if is_any and isinstance(error.__cause__, Exception):
        cause = error.__cause__
    kind = type(cause).__name__
    text = " ".join(str(getattr(cause, "strerror", None) or cause).split())
    hint = ""
    if "Credentials" in kind:
        hint = "set them in the environment, or in the configuration of the package of this scheme"
    elif isinstance(cause, FileNotFoundError):
        hint = "check the name"
        if text in url or "://" in text:  # a path, or the URL of the request, and no message
            text = "there is no such file"
    elif isinstance(cause, PermissionError):
        hint = "check the permissions of these credentials"
    elif isinstance(cause, UnicodeEncodeError):
        text, hint = "its name is not UTF-8", "rename it"
    elif isinstance(cause, OSError) and text.startswith("Unable to load lib"):
        hint = "hdfs:// needs Java and Hadoop: set JAVA_HOME, HADOOP_HOME and CLASSPATH"
    elif scheme_of(url) in ARCHIVES and isinstance(
        cause, AttributeError | KeyError | RecursionError
    ):
        # fsspec opens every member of an archive as a file.
        text = "it is no regular file, and no link to one in this archive"
        hint = "unpack the archive, or leave the file out with --exclude"
    elif isinstance(cause, TypeError):  # an argument of the file system is missing
        hint = "set it in the configuration of fsspec"
    else:
        text = f"{kind}: {text}" if text else kind
    text = text.removesuffix(".")
    text = f"{text[:_QUOTED]}…" if len(text) > _QUOTED else text
    return UnreadableError(f"{what}: {text}", hint=hint, file=url)
