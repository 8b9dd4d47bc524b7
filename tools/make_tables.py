"""Make modules of the tables in TOML, which take longer to read than to import.

    python tools/make_tables.py && ruff format linkfix

A test compares the modules with the tables.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from pprint import pformat

PACKAGE = Path(__file__).parents[1] / "linkfix"
#: The tables of each module, without those of a module before. Most documents are HTML, and need its table alone.
SOURCES = {
    "auditing/schemes_data.py": "auditing/schemes.toml",
    "links/tables/html_data.py": "links/tables/html*.toml",
    "links/tables/xml_data.py": "links/tables/*.toml",
    "links/templates_data.py": "links/templates.toml",
    "markup/filetypes_data.py": "markup/filetypes.toml",
}
BANNER = '''"""The tables of ``{source}``.

``tools/make_tables.py`` made this file: do not edit it.
"""

from __future__ import annotations

from typing import Any

TABLES: dict[str, Any] = {tables}
'''


def files(module: str) -> list[Path]:
    """Return the tables of a module in order."""
    found: set[Path] = set()
    for name, pattern in SOURCES.items():
        own = {*PACKAGE.glob(pattern)} - found
        if name == module:
            return sorted(own)
        found |= own
    raise KeyError(module)


def made(module: str) -> str:
    """Return the source of a module."""
    tables: dict[str, object] = {}
    for path in files(module):
        tables |= tomllib.loads(path.read_text("utf-8"))
    return BANNER.format(
        source=SOURCES[module], tables=pformat(tables, width=120, sort_dicts=False)
    )


def main() -> None:
    for module in SOURCES:
        (PACKAGE / module).write_text(made(module), "utf-8")


if __name__ == "__main__":
    main()
