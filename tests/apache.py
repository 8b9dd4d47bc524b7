"""Apache from Debian's packages, serving a folder on the loopback address."""

from __future__ import annotations

import contextlib
import http.client
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ports import reserved

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["missing", "serving"]

PROGRAM = shutil.which("apache2") or "/usr/sbin/apache2"
MODULES = Path("/usr/lib/apache2/modules")
LOADED = (
    "mpm_event",
    "authz_core",
    "mime",
    "dir",
    "include",
    "headers",
    "filter",
    "rewrite",
    "negotiation",
)
#: Apache does not serve as root, and another user may not enter the folders of tests: another run of pytest closes them.
AS_USER = (
    "setpriv", "--reuid=www-data", "--regid=www-data", "--clear-groups", "--inh-caps=+dac_override",
    "--ambient-caps=+dac_override",
)  # fmt: skip
CONFIGURATION = """
ServerRoot "{state}"
ServerName 127.0.0.1
Listen 127.0.0.1:{port}
PidFile "{state}/pid"
ErrorLog "{state}/error.log"
DefaultRuntimeDir "{state}"
{modules}
TypesConfig /etc/mime.types
AddType text/html .html .htm .shtml .inc
AddOutputFilter INCLUDES .shtml
DocumentRoot "{root}"
DirectoryIndex index.html
Header set X-File "expr=%{{REQUEST_FILENAME}}"
{more}
<Directory "{root}">
    AllowOverride All
    Options +Includes
    Require all granted
</Directory>
"""


def missing() -> str:
    """Return why Apache cannot be started, "" if it can."""
    absent = [name for name in LOADED if not (MODULES / f"mod_{name}.so").exists()]
    if not Path(PROGRAM).exists() or absent:
        return "Apache (Debian's package apache2-bin) is not installed"
    return ""


@contextlib.contextmanager
def serving(root: Path, state: Path, more: str = "") -> Iterator[str]:
    """Serve a folder, and yield its origin.

    Args:
        root: the folder.
        state: an empty folder for the server's own files.
        more: lines of configuration.

    """
    state.mkdir(parents=True, exist_ok=True)
    with reserved() as port:
        modules = "\n".join(f"LoadModule {name}_module {MODULES}/mod_{name}.so" for name in LOADED)
        text = CONFIGURATION.format(state=state, port=port, modules=modules, root=root, more=more)
        (state / "httpd.conf").write_text(text)
        process = subprocess.Popen(
            [
                *(AS_USER if os.geteuid() == 0 else ()),
                PROGRAM,
                "-f",
                str(state / "httpd.conf"),
                "-DFOREGROUND",
            ],
            env={**os.environ, "LANG": "C"},
            stderr=subprocess.PIPE,
        )
        try:
            _wait(port, process, state / "error.log")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.communicate(timeout=60)


def _wait(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(600):
        if process.poll() is not None:
            said = (process.stderr.read() if process.stderr else b"").decode(errors="replace")
            raise AssertionError(f"Apache ended: {said} {log.read_text() if log.exists() else ''}")
        with (
            contextlib.suppress(OSError),
            contextlib.closing(
                http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            ) as connection,
        ):
            connection.request("GET", "/")
            connection.getresponse().read()
            return
        time.sleep(0.1)
    raise AssertionError("Apache does not answer")
