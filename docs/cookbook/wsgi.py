"""Rewrite the pages of a WSGI application on their way out.

Prints:

    <a href='/%E6%A4%9C%E7%B4%A2?q=a%20b'>
"""

from collections.abc import Callable, Iterable
from typing import Any

import linkfix


def with_clean_links(application: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    def respond(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        rewriter = linkfix.Rewriter(source=linkfix.Source(type="html", charset="utf-8"))
        for chunk in application(environ, start_response):
            yield rewriter.feed(chunk)
        yield rewriter.close()

    return respond


def application(_: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    start_response("200 OK", [("Content-Type", "text/html; charset=utf-8")])
    return ["<a href='/検索?q=a b'>".encode()]


print(b"".join(with_clean_links(application)({}, lambda *_: None)).decode())
