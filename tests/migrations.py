"""A migration by the command line, and the records of its report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from click.testing import CliRunner

from linkfix.cli.group import cli

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

TEXT = "日本語の案内です。検索と表示の一覧を見てください。"


def migrate(source: Path, target: Path, *options: str) -> Result:
    return CliRunner().invoke(cli, ["migrate", *options, str(source), str(target)])


def records(path: Path, kind: str) -> list[dict[str, object]]:
    lines = map(json.loads, path.read_text().splitlines())
    return [line for line in lines if line["record"] == kind]
