"""What pages say of each other: the findings are the planted faults, and those that the answers of a server show."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import apache
import nginx
import page_roles
import pytest
import target_generator
from click.testing import CliRunner

from linkfix.cli.group import cli

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

RULES = ("TGT009", "TGT010", "TGT011", "TGT012", "TGT013", "TGT014")


def compare_roles(program: ModuleType, folder: Path, documents: int) -> Counter[str]:
    """Compare the findings about a generated site; return how many each rule has.

    Args:
        program: `apache` or `nginx`.
        folder: an empty folder.
        documents: how many the site has, at least.

    """
    root, rules = folder / "top" / "site", folder / "top" / "rules"
    site = page_roles.generate(documents)
    site.write(root)
    redirects = target_generator.TargetSite(redirects=site.redirects)
    rules.write_text(redirects.for_nginx())
    if program is apache:
        (root / ".htaccess").write_text(redirects.for_apache())
    template = target_generator.APACHE if program is apache else target_generator.NGINX
    more = template.format(root=root, alias=folder / "top" / "none", redirects=rules)
    with program.serving(root, folder / "top" / "state", more) as origin:
        shown = page_roles.judge(root, origin)
    assert shown == site.faults
    named = ["--server-config", str(rules)] if program is nginx else []
    arguments = ["audit", "--format", "jsonl", "--select", ",".join(RULES), "--exit-zero", "-q", "--clean-urls", "--base", page_roles.SITE]  # fmt: skip
    done = CliRunner().invoke(cli, [*arguments, *named, "--root", str(root), str(root)])
    assert done.exit_code == 0, done.output
    rows = map(json.loads, done.stdout.splitlines())
    found = [(row["file"].removeprefix(f"{root}/"), row["rule"], row["value"] or "") for row in rows]  # fmt: skip
    assert {*found} == site.faults
    return Counter(code for _, code, _ in found)


@pytest.mark.parametrize("program", [apache, nginx], ids=["apache", "nginx"])
def test_findings_about_pages_are_what_a_server_shows(tmp_path: Path, program: ModuleType) -> None:
    if why := program.missing():
        pytest.skip(why)
    counts = compare_roles(program, tmp_path, 240)
    assert min(counts[rule] for rule in RULES) > 5
