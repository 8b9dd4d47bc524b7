"""Ask a server for the target of each link of a site, and compare its answers with those of `linkfix graph` and `linkfix audit`.

    python tools/differential/answers.py FOLDER [--server apache|nginx] [--config FILE] [--show N]

Apache or nginx serves the folder on the loopback address, with the directives of FILE besides the `.htaccess` files in it. A link
is broken if the server ends with another status than 200, after its redirects. Links to other sites are not asked for, and
fragments are not compared. A link that the server says is there and linkfix says is not is *false*; the other way round it is *missed*.
A difference is printed, and makes the exit status 1.
"""

from __future__ import annotations

import argparse
import http.client
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from urllib.parse import urljoin, urlsplit

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
import apache  # noqa: E402 - its folder is known now
import nginx  # noqa: E402

#: More redirects than a browser follows.
_MOST = 20
_BASE = "http://127.0.0.1/"
#: The rules of the audit about targets that are not there.
_RULES = "TGT001,TGT002,TGT003,TGT004,TGT008"


class Asked:
    """What a server answers, asked once for each address.

    Args:
        origin: of the server.

    """

    def __init__(self, origin: str) -> None:
        self._origin = origin
        host = urlsplit(origin)
        self._connection = http.client.HTTPConnection(host.hostname or "", host.port, timeout=60)
        self._known: dict[str, int] = {}

    def status(self, path: str) -> int:
        """Return the last status for a path and query, redirects followed."""
        if path not in self._known:
            self._known[path] = self._followed(path)
        return self._known[path]

    def _followed(self, path: str) -> int:
        for _ in range(_MOST):
            self._connection.request(
                "GET", path, headers={"Accept-Language": "en, *;q=0.1", "Accept": "*/*"}
            )
            response = self._connection.getresponse()
            response.read()
            place = response.headers["Location"]
            if response.status not in {301, 302, 303, 307, 308} or place is None:
                return response.status
            parts = urlsplit(urljoin(f"{self._origin}{path}", place))
            if f"{parts.scheme}://{parts.netloc}" != self._origin and parts.netloc != "127.0.0.1":
                return 200  # another site
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return 508

    def __len__(self) -> int:
        return len(self._known)


def _output(*arguments: str | Path) -> list[dict[str, str]]:
    command = [sys.executable, "-m", "linkfix", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.stderr:
        print(done.stderr.strip()[-2000:])
    return [json.loads(line) for line in done.stdout.splitlines()]


def compare(folder: Path, server: str, config: Path | None, show: int) -> Counter[str]:
    """Compare the answers for a folder, and return counts."""
    options: list[str | Path] = ["--base", _BASE]
    if config is not None:
        options += ["--server-config", config]
    links = [each for each in _output("graph", *options, "-q", folder) if each["record"] == "link"]
    found = _output("audit", *options, "--select", _RULES, "--format", "jsonl", "-q", folder)
    audited = {(each["file"], each["line"], each["column"]) for each in found}
    counts: Counter[str] = Counter(links=len(links))
    more = "" if config is None else config.read_text()
    program = apache if server == "apache" else nginx
    with tempfile.TemporaryDirectory() as state:
        Path(state).chmod(0o755)
        if program is apache:
            more = f"LoadModule alias_module {apache.MODULES}/mod_alias.so\n{more}"
        with program.serving(folder, Path(state) / "state", more) as origin:
            asked = Asked(origin)
            for link in links:
                uri = link["uri"].partition("#")[0]
                if not uri.startswith(_BASE):
                    counts["to other sites"] += 1
                    continue
                status = asked.status(uri[len(_BASE) - 1 :])
                is_there = status in {200, 300}
                broken = link["problem"] not in {"", "redirected", "fragment"}
                place = (link["document"], link["line"], link["column"])
                counts["broken for the server"] += not is_there
                for name, says in (("graph", broken), ("audit", place in audited)):
                    if says == is_there:
                        what = f"{name}: {'false' if is_there else 'missed'}"
                        counts[what] += 1
                        if counts[what] <= show:
                            print(
                                f"{what}: {':'.join(map(str, place))}: {uri}: {status} {link['problem']}"
                            )
            counts["addresses asked"] = len(asked)
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--server", choices=("apache", "nginx"), default="apache")
    parser.add_argument("--config", type=Path)
    parser.add_argument("--show", type=int, default=10)
    options = parser.parse_args()
    counts = compare(options.folder.resolve(), options.server, options.config, options.show)
    for name, count in counts.items():
        print(f"{count:9,} {name}")
    return int(any(" " in name and name.startswith(("graph", "audit")) for name in counts))


if __name__ == "__main__":
    sys.exit(main())
