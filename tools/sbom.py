"""Write the list of the parts of linkfix: what its wheel holds of others, and what it needs (CycloneDX 1.6, PEP 770).

The build of a wheel puts it into `*.dist-info/sboms/`; `python tools/sbom.py` prints it.
"""

from __future__ import annotations

import json
import re
import runpy
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parents[1]
(VERSION,) = re.findall(
    r'__version__ = "(.+)"', (ROOT / "linkfix" / "version.py").read_text("utf-8")
)

#: Data of others in the wheel: name, version, licence, where it is from, and the modules made of it.
DATA = (
    ("Unicode security data (UTS #39)", "iri/unicode/lookalike_data.py", "Unicode-3.0", "https://www.unicode.org/reports/tr39/"),
    ("Unicode link data (UTS #58)", "iri/text/link_data.py", "Unicode-3.0", "https://www.unicode.org/reports/tr58/"),
    ("WHATWG Encoding Standard indexes", "charset/tables/multi_byte.py", "BSD-3-Clause", "https://encoding.spec.whatwg.org/"),
    ("WHATWG Encoding Standard labels", "charset/tables/labels.py", "BSD-3-Clause", "https://encoding.spec.whatwg.org/"),
)  # fmt: skip


def version_of(module: str) -> str | None:
    """Return the version that a made module says it is of."""
    value = runpy.run_path(str(ROOT / "linkfix" / module)).get("VERSION")
    return value if isinstance(value, str) else None


def data(name: str, module: str, licence: str, source: str) -> dict[str, Any]:
    """Return a component for data of others."""
    version = version_of(module)
    found: dict[str, Any] = {"type": "data", "bom-ref": f"data:{module}", "name": name}
    if version:
        found["version"] = version
    return found | {
        "licenses": [{"license": {"id": licence}}],
        "externalReferences": [{"type": "website", "url": source}],
        "properties": [{"name": "linkfix:file", "value": f"linkfix/{module}"}],
    }


def needed(requirement: str) -> dict[str, Any]:
    """Return a component for a package that the base install needs."""
    ((name, versions),) = re.findall(r"^([\w.-]+)(.*)$", requirement)
    found: dict[str, Any] = {
        "type": "library",
        "bom-ref": f"pkg:pypi/{name}",
        "name": name,
        "purl": f"pkg:pypi/{name}",
    }
    return found | {
        "scope": "required",
        "properties": [{"name": "linkfix:versions", "value": versions}],
    }


def sbom() -> str:
    """Return the list as JSON. It names no time and no random number, so that it is the same in each build."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    ours = f"pkg:pypi/linkfix@{VERSION}"
    licences = [{"expression": project["license"]}]
    parts = [*(data(*each) for each in DATA), *map(needed, project["dependencies"])]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": ours,
                "name": "linkfix",
                "version": VERSION,
                "description": project["description"],
                "licenses": licences,
                "purl": ours,
            }
        },
        "components": parts,
        "dependencies": [{"ref": ours, "dependsOn": [each["bom-ref"] for each in parts]}],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


class PartsHook(BuildHookInterface):
    """What hatchling runs before and after it builds a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - names of hatchling
        """Write the list, and name it to hatchling."""
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name, "linkfix.cdx.json")
        path.write_text(sbom(), "utf-8")
        build_data["sbom_files"].append(str(path))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - likewise
        """Remove the file, which is in the wheel now."""
        self.folder.cleanup()


if __name__ == "__main__":
    sys.stdout.write(sbom())
