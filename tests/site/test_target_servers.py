"""The verdicts about links of a generated site: as it was made, and as Apache and nginx answer."""

from __future__ import annotations

import http.client
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import apache
import nginx
import pytest
import target_generator
from serverfiles import read_redirects

from linkfix.charset import lookup
from linkfix.iri.resolution import resolved
from linkfix.policy import Policy
from linkfix.server.addresses import Serving, SiteAddress
from linkfix.server.listing import survey
from linkfix.server.redirects.files import configured
from linkfix.server.server import Server
from linkfix.server.targets import TargetFiles

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from linkfix.server.redirects.rules import Source

SITE = "http://h.example/"
UTF8 = lookup("utf-8")
#: More redirects than the servers have in a row.
STEPS = 5


def verdict(origin: str, target: str) -> str:
    """What a server answers: nothing wrong, a redirect, a loop, or nothing there."""
    parts = urlsplit(origin)
    here, hops = target.partition("#")[0], 0
    with closing(
        http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=20)
    ) as connection:
        while hops < STEPS:
            connection.request("GET", here)
            response = connection.getresponse()
            response.read()
            if response.status == 200:
                return "redirected" if hops else "there"
            if response.status in {403, 404}:
                return "nothing"
            assert response.status == 301, (here, response.status)
            place = urlsplit(urljoin(origin + here, response.headers["Location"]))
            here, hops = place.path + (f"?{place.query}" if place.query else ""), hops + 1
    return "loop"


#: What a server answers to a link with a fault; a fragment is no matter of the server.
ANSWERS = {
    "": {"there"}, "redirected": {"redirected"}, "missing": {"nothing"}, "case": {"nothing"}, "spelling": {"nothing"},
    "no-index": {"nothing"}, "fragment": {"there", "redirected"}, "loop": {"loop"},
}  # fmt: skip


def compare(program: ModuleType, folder: Path, documents: int) -> int:
    """Compare the verdicts about the links of a generated site; return the number of links.

    Args:
        program: `apache` or `nginx`.
        folder: an empty folder.
        documents: how many the site has.

    """
    top = folder / "top"
    root, alias = top / "site", top / "elsewhere"
    site = target_generator.generate(documents)
    site.write(root, alias)
    if program is apache:
        (root / ".htaccess").write_text(site.for_apache())
    else:
        (top / "locations").write_text(site.for_nginx())
    template = target_generator.APACHE if program is apache else target_generator.NGINX
    more = template.format(root=root, alias=alias, redirects=top / "locations")
    serving = Serving(clean_urls=True, trailing_slashes=True, aliases=(("/img/", str(alias)),))
    listing = survey(str(root))
    listing.index_names = ("index.html",)
    named = [str(top / "locations")] if program is nginx else []
    serving = replace(serving, configuration=tuple(named))
    redirects, _ = configured(listing, SITE, serving, print)

    def files_with(redirects: tuple[Source, ...]) -> TargetFiles:
        server = Server(listing, SiteAddress(SITE), serving=serving, redirects=redirects)
        return TargetFiles(server, Policy())

    files = files_with(redirects)
    others = [
        files_with((read_redirects(text.encode(), name, SITE),))
        for name, text in (("_redirects", site.for_netlify()), ("moved.map", site.for_map()))
    ]
    met: dict[str, int] = {}
    answers: dict[str, str] = {}
    with program.serving(root, folder / "state", more) as origin:
        for path, links in site.links.items():
            for value, fault in links.items():
                target = resolved(value, SITE + path) or ""
                found = files.problem(target, UTF8)
                assert ("" if found is None else found.what) == fault, (path, value, found)
                # Netlify does not distinguish a path with a slash at its end.
                for other in others[value.endswith("/") :]:
                    same = other.problem(target, UTF8)
                    assert ("" if same is None else same.what) == fault, (path, value, same)
                asked = target.removeprefix(SITE[:-1])
                if asked not in answers:
                    answers[asked] = verdict(origin, asked)
                assert answers[asked] in ANSWERS[fault], (path, value, fault, answers[asked])
                met[fault] = met.get(fault, 0) + 1
    assert min(met[fault] for fault in ANSWERS) > 20
    return sum(met.values())


@pytest.mark.parametrize("program", [apache, nginx], ids=["apache", "nginx"])
def test_each_verdict_is_known_and_is_the_answer_of_a_server(
    tmp_path: Path, program: ModuleType
) -> None:
    if why := program.missing():
        pytest.skip(why)
    assert compare(program, tmp_path, 300) > 3000
