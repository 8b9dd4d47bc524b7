"""Rewrite a page while it arrives, chunk by chunk, as a proxy or a web server does.

Prints:

    <a href="/%E6%A4%9C%E7%B4%A2%20x">
"""

import asyncio
from collections.abc import AsyncIterator

import linkfix


async def rewritten(chunks: AsyncIterator[bytes], charset: str | None) -> AsyncIterator[bytes]:
    rewriter = linkfix.Rewriter(source=linkfix.Source(type="html", charset=charset))
    try:
        async for chunk in chunks:
            yield rewriter.feed(chunk)
        yield rewriter.close()
    except linkfix.LinkfixError:
        yield rewriter.rest()  # what was not rewritten yet, as it came


async def main() -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for chunk in ('<a href="/検'.encode(), b"\xe7\xb4", b'\xa2 x">'):
            yield chunk

    print(b"".join([chunk async for chunk in rewritten(chunks(), "utf-8")]).decode())


asyncio.run(main())
