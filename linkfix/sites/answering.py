"""Ask the new site for the old addresses.

Input: addresses (a sitemap, an access log, a list, or the old tree), the old tree and the new one. Output: for each address that the
old site answered whether the new one shows the same content there, redirects to it, shows another, or lost it. The new site
is the model of its server, or a server that is asked over HTTP. Contents are the same if readers see the same texts, and fields of
forms with the same names and values; of files that are no documents, if they have the same bytes. Documents are in memory.
"""

import http.client
import re
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple
from urllib.parse import urljoin, urlsplit

from linkfix.errors import LinkfixError, UnreadableError
from linkfix.files.access import document_bytes, is_folder
from linkfix.files.local import given_content
from linkfix.files.paths import join
from linkfix.iri.reference import split, without_fragment
from linkfix.iri.resolution import resolved
from linkfix.policy import Policy, Source
from linkfix.server.addresses import Serving, SiteAddress
from linkfix.server.server import Server, server_of
from linkfix.server.writing import is_written
from linkfix.sites.events import Problem

Verdict = Literal["same", "redirected", "lost", "other", "unknown"]
#: A line of an access log, in common format or with more at its end.
_LOGGED = re.compile(r'"(?:GET|HEAD) (\S+)(?: HTTP/[0-9.]+)?" ([0-9]{3})')
#: More redirects than any browser follows (Fetch Standard, 4.6), and more bytes than a page has.
_MOST_REDIRECTS, _MOST_BYTES = 20, 256 << 20
#: How many pairs of links are remembered.
_MOST_LINKS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressSettings:
    """How old addresses are asked for.

    Attributes:
        base: address of both sites, an absolute IRI.
        policy: how documents are read.
        old: how the old server mapped URLs to files.
        new: how the new one does.
        origin: scheme and host of the new server, which is asked over HTTP; "" for the model.
        rate: requests a second; 0 for no limit.

    """

    base: str
    policy: Policy = field(default_factory=Policy)
    old: Serving = field(default_factory=Serving)
    new: Serving = field(default_factory=Serving)
    origin: str = ""
    rate: float = 0


class Answered(NamedTuple):
    """What the new site answers to an old address: `there` is where it leads in the end, `was` the old file.

    `link` is the first link of the page that leads elsewhere than in the old one, "" for none.
    """

    uri: str
    verdict: Verdict
    there: str = ""
    was: str = ""
    link: str = ""


class _Shown(NamedTuple):
    """What is shown in the end, and at which URI: the bytes with the label of their charset, None if there is nothing or it is not known."""

    verdict: Verdict
    there: str
    data: bytes | None = None
    label: str | None = None
    uri: str = ""


def ask(
    addresses: str, old: str, new: str, settings: AddressSettings
) -> Iterator[Answered | Problem]:
    """Ask the new site for each old address that the old one answered; yield what it answers.

    Args:
        addresses: path of a sitemap, an access log, a list, or the old tree.
        old: folder of the old tree.
        new: folder of the new tree.
        settings: of the questions.

    Raises:
        ArgumentError: the base is no address of a folder.
        OSError: the addresses cannot be read.

    """
    problems: list[LinkfixError] = []
    before, after = (
        server_of(root, SiteAddress.at(settings.base), serving, problems.append)
        for root, serving in ((old, settings.old), (new, settings.new))
    )
    yield from map(Problem.of_server, problems)
    shown_before = _model(before)
    model = _model(after)
    shown = _Client(settings).shown if settings.origin else model

    @lru_cache(_MOST_LINKS)
    def leads_alike(old: str, new: str) -> bool:
        """Return whether a link of a new page leads where that of the old one led; also if that led or leads to nothing."""
        if not old or not new:
            return False
        was, there, here = (
            server(split(uri)[0])
            for server, uri in ((shown_before, old), (model, old), (model, new))
        )
        if was.data is None and "unknown" not in {was.verdict, here.verdict}:
            return True
        if was.data is None or here.data is None or split(old)[1:] != split(new)[1:]:
            return there.verdict == "lost"
        return there.there == here.there or _compared(was, here, settings.policy)[0]

    for uri in dict.fromkeys(_addresses(addresses, before)):
        was = shown_before(uri)
        if was.data is None:  # a program, nothing, or another site
            continue
        try:
            now = shown(uri)
        except (OSError, http.client.HTTPException) as error:
            yield Problem(UnreadableError(f"the server does not answer: {error}", file=uri), True)  # fmt: skip
            continue
        verdict, link = now.verdict, ""
        if now.data is not None:
            is_same, links = _compared(was, now, settings.policy)
            pairs = ((old, new) for old, new in links if not leads_alike(old, new))
            link = next((new for _, new in pairs), "") if is_same else ""
            verdict = verdict if is_same and not link else "other"
        yield Answered(uri, verdict, now.there, was.there, link)


def _addresses(path: str, server: Server) -> Iterator[str]:
    """Yield the addresses of a file, or of the files and folders of the old tree."""
    base = server.address.root
    if is_folder(path):
        listing = server.listing
        yield from (server.address.uri(each) for each in listing.files() if not is_written(each))
        folders = ["", *(each for each, entry in listing.entries.items() if entry.kind == "folder")]
        yield from (server.address.uri(each, is_folder=True) for each in folders if listing.index(each))  # fmt: skip
        return
    data = given_content(path)
    if data.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
        links = Policy().stream(Source(type="xml", base=base, name=path)).whole(data)
        texts = [link.value for link in links if link.element.endswith("loc")]
    else:
        lines = data.decode("utf-8", "surrogateescape").splitlines()
        logged = [found for line in lines if (found := _LOGGED.search(line))]
        texts = [found[1] for found in logged if found[2] < "400"] if logged else lines
    for text in filter(None, map(str.strip, texts)):
        uri = resolved(text, base)
        if uri is not None:
            yield without_fragment(uri)


def _model(server: Server) -> Callable[[str], _Shown]:
    """Return a function that returns what a server shows for a URI."""
    listing = server.listing

    def shown(uri: str) -> _Shown:
        answer = server.answer(uri)
        if answer is None:
            return _Shown("unknown", uri)
        if answer.reason is not None:
            return _Shown("lost", answer.to)
        if not answer.path:
            return _Shown("unknown", answer.to)
        data = document_bytes(join(listing.root, answer.path))
        label = server.label(answer.path)
        return _Shown("redirected" if answer.to else "same", answer.path, data, label, answer.to or uri)  # fmt: skip

    return shown


class _Client:
    """The new server, asked over HTTP."""

    def __init__(self, settings: AddressSettings) -> None:
        self._origin = settings.origin.rstrip("/")
        self._site = "/".join(SiteAddress.at(settings.base).root.split("/", 3)[:3])
        self._rate, self._next = settings.rate, 0.0

    def shown(self, uri: str) -> _Shown:
        """Return what the server shows for a URI, redirects followed.

        Raises:
            OSError: it cannot be reached.
            http.client.HTTPException: it answers otherwise than with HTTP.

        """
        here = uri
        for hop in range(_MOST_REDIRECTS):
            parts = urlsplit(here)
            own = f"{parts.scheme}://{parts.netloc}"
            if own != self._origin and not here.startswith(f"{self._site}/"):
                return _Shown("unknown", here)
            status, place, data, label = self._get(parts.path + (f"?{parts.query}" if parts.query else ""))  # fmt: skip
            if not (300 <= status < 400 and place):
                if status != 200:
                    return _Shown("lost", here)
                place = (
                    self._site + here.removeprefix(self._origin) if own == self._origin else here
                )
                return _Shown("redirected" if hop else "same", here, data, label, place)
            here = without_fragment(urljoin(here, place))
        return _Shown("lost", here)

    def _get(self, path: str) -> tuple[int, str | None, bytes, str | None]:
        if self._rate:
            time.sleep(max(0.0, self._next - time.monotonic()))
            self._next = time.monotonic() + 1 / self._rate
        scheme, host, *_ = urlsplit(self._origin)
        kind = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
        with closing(kind(host, timeout=30)) as connection:
            connection.request("GET", path or "/")
            response = connection.getresponse()
            label = response.headers.get_content_charset()
            return response.status, response.headers["Location"], response.read(_MOST_BYTES), label


def _compared(was: _Shown, now: _Shown, policy: Policy) -> tuple[bool, list[tuple[str, str]]]:
    """Return whether readers see the same, and the URLs of each link of the old and the new page that are not equal."""
    from linkfix.verifying.verifier import seen

    same = was.data == now.data
    if same and (was.label, was.uri) == (now.label, now.uri):
        return True, []
    with suppress(LinkfixError):
        (texts, links), (new_texts, new_links) = (
            seen(
                each.data or b"", Source(charset=each.label, name=was.there, base=each.uri), policy
            )
            for each in (was, now)
        )
        pairs = zip(links, new_links, strict=True) if len(links) == len(new_links) else ()
        return texts == new_texts, [(old, new) for old, new in pairs if old != new]
    return same, []  # an image, say
