"""Write the six pages of samples/ that are one page in six charsets.

Run it from the root of the repository: ``python tools/samples/make.py``. It shows the origin of the bytes in
samples/. The other samples are written by hand.
"""

from __future__ import annotations

import codecs
import tomllib
from dataclasses import dataclass
from pathlib import Path
from string import Template
from urllib.parse import quote

HERE = Path(__file__).parent
SAMPLES = HERE.parents[1] / "samples"
META = '<meta http-equiv="Content-Type" content="text/html; charset={}">\n'


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its language, charset label, Python codec, line ends and byte order mark."""

    language: str
    label: str
    codec: str
    line_end: str = "\n"
    mark: bytes = b""

    def encode(self, template: Template, words: dict[str, str]) -> bytes:
        """Return the bytes of the page; a byte order mark replaces a declaration."""
        text = template.substitute(
            words,
            lang=self.language,
            declaration="" if self.mark else META.format(self.label),
            new_path=quote(words["envelope"]),
            # As an old server had it in its file system: no UTF-8, whatever the page is in.
            old_path=quote(words["paper"], encoding=words["old_server"]),
        )
        return self.mark + text.replace("\n", self.line_end).encode(self.codec)


PAGES = (
    Page("ja", "Shift_JIS", "shift_jis", "\r\n"),
    Page("ja", "EUC-JP", "euc_jp"),
    Page("ja", "UTF-8", "utf-8"),
    Page("ja", "UTF-16", "utf-16-le", "\r\n", codecs.BOM_UTF16_LE),
    Page("ru", "windows-1251", "cp1251", "\r\n"),
    Page("zh", "Big5", "big5"),
)


def pages() -> dict[str, bytes]:
    """Return the bytes of every page by its file name."""
    template = Template((HERE / "page.html").read_text(encoding="utf-8"))
    texts = tomllib.loads((HERE / "texts.toml").read_text(encoding="utf-8"))
    return {
        f"page-{page.label.lower()}.html": page.encode(template, texts[page.language])
        for page in PAGES
    }


if __name__ == "__main__":
    for name, data in pages().items():
        (SAMPLES / name).write_bytes(data)
