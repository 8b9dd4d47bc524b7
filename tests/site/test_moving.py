"""Where the URIs of a site lead after a move."""

from __future__ import annotations

from pathlib import Path

import pytest

from linkfix.errors import MoveError, UnreadableError
from linkfix.migration.moving import SiteMove, plan_links, plan_move
from linkfix.server.addresses import Serving, SiteAddress
from linkfix.server.server import Server, server_of
from linkfix.sites.moving import path_in

BASE = "http://s.example/"


@pytest.fixture
def server(tmp_path: Path) -> Server:
    for name in ("index.html", "d/index.html", "d/a.html", "d/e/b.html", "c.html"):
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("x")
    serving = Serving(served=("/d/search",), clean_urls=True)
    return server_of(str(tmp_path), SiteAddress.at(BASE), serving, print)


@pytest.mark.parametrize(
    ("uri", "target"),
    [
        ("d/a.html?q#f", "n/a.html?q#f"),
        ("d/%61.html", "n/%61.html"),
        ("d/a", "n/a"),
        ("d/", "n/"),
        ("d", "n"),
        ("d/e/", "n/e/"),
        ("d/gone.html", "n/gone.html"),
        ("d/search?q", None),
        ("c.html", None),
        ("D/a.html", None),
    ],
)
def test_a_folder_that_moves(server: Server, uri: str, target: str | None) -> None:
    move = plan_move(server, "d", "n")
    assert move.target(BASE + uri) == (None if target is None else BASE + target)
    assert move.target(f"http://other.example/{uri}") is None


def test_the_site_is_the_same_whether_the_move_is_to_come_or_done(server: Server) -> None:
    root = server.listing.root
    coming = plan_move(server, "d", "n")
    wanted = {uri: coming.target(BASE + uri) for uri in ("d/a.html", "d/", "d/e/b.html", "c.html")}
    redirects = coming.redirects()
    coming.finish()
    again = server_of(root, server.address, server.serving, print)
    done: SiteMove = plan_links(again, "d", "n")
    assert {uri: done.target(BASE + uri) for uri in wanted} == wanted
    assert sorted(done.redirects()[0]) == sorted(redirects[0])
    assert plan_move(again, "d", "n", resume=True).is_done


def test_another_case_is_noted(server: Server) -> None:
    move = plan_move(server, "d/a.html", "b.html")
    assert move.target(f"{BASE}d/A.html") is None
    why = "it differs in case from d/a.html, and leads nowhere on most servers"
    assert move.near == {f"{BASE}d/A.html": why}


def test_paths(tmp_path: Path) -> None:
    root = str(tmp_path)
    assert path_in(root, "a/../b/") == "b"
    assert path_in(root, f"{root}/x") == "x"
    for path in ("..", ".", "/elsewhere", "a/../../b"):
        with pytest.raises(MoveError):
            path_in(root, path)


def test_nothing_is_renamed_onto_a_file_that_came_meanwhile(server: Server) -> None:
    move = plan_move(server, "c.html", "new.html")
    Path(server.listing.root, "new.html").touch()
    with pytest.raises(UnreadableError):
        move.finish()
