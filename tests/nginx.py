"""nginx from Debian's packages, serving a folder on the loopback address."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ports import reserved

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["missing", "serving"]

PROGRAM = shutil.which("nginx") or "/usr/sbin/nginx"
CONFIGURATION = """
{user}
daemon off;
master_process off;
pid "{state}/pid";
error_log "{state}/error.log";
events {{ worker_connections 1024; }}
http {{
    access_log off;
    client_body_temp_path "{state}/body"; proxy_temp_path "{state}/proxy"; fastcgi_temp_path "{state}/fastcgi";
    uwsgi_temp_path "{state}/uwsgi"; scgi_temp_path "{state}/scgi";
    types {{ text/html html; }}
    {maps}
    server {{
        listen 127.0.0.1:{port};
        root "{root}";
        index index.html;
        absolute_redirect off;
        {more}
    }}
}}
"""


def missing() -> str:
    """Return why nginx cannot be started, "" if it can."""
    return "" if Path(PROGRAM).exists() else "nginx (Debian's package nginx-light) is not installed"


@contextlib.contextmanager
def serving(root: Path, state: Path, more: str = "", maps: str = "") -> Iterator[str]:
    """Serve a folder, and yield its origin.

    Args:
        root: the folder.
        state: an empty folder for the server's own files.
        more: directives of the server.
        maps: of the http block.

    """
    state.mkdir(parents=True, exist_ok=True)
    with reserved() as port:
        user = "user root;" if os.geteuid() == 0 else ""
        text = CONFIGURATION.format(
            user=user, state=state, port=port, root=root, more=more, maps=maps
        )
        (state / "nginx.conf").write_text(text)
        process = subprocess.Popen([PROGRAM, "-c", state / "nginx.conf", "-e", state / "error.log"])
        try:
            for _ in range(300):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                assert process.poll() is None, (state / "error.log").read_text()
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(timeout=60)
