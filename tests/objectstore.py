"""A real object store for tests: moto's server in a process of its own, on the loopback address."""

from __future__ import annotations

import contextlib
import http.client
import os
import socket
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from ports import reserved

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["ObjectStore", "StallingProxy", "serving"]

#: How long the server may take to start, in seconds.
_PATIENCE = 60.0


class ObjectStore:
    """The object store.

    Attributes:
        port: of the server.
        environment: the variables with which s3fs and boto3 use it.

    """

    def __init__(self, port: int) -> None:
        import boto3

        self.port = port
        self.environment = {
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        }
        self.client: Any = boto3.client(
            "s3",
            endpoint_url=f"http://127.0.0.1:{port}",
            region_name="us-east-1",
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )

    def bucket(self, name: str, files: Mapping[str, bytes]) -> str:
        """Make a bucket with files; return its URL."""
        self.client.create_bucket(Bucket=name)
        for path, data in files.items():
            self.put(name, path, data)
        return f"s3://{name}"

    def put(self, bucket: str, path: str, data: bytes) -> None:
        """Make an object of any name; boto3 would resolve dot segments in it."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        with contextlib.closing(connection):
            signed = "AWS4-HMAC-SHA256 Credential=test/20200101/us-east-1/s3/aws4_request"
            headers = {"Authorization": signed}
            connection.request("PUT", f"/{bucket}/{quote(path)}", data, headers)
            answer = connection.getresponse()
            assert answer.status == 200, answer.read()

    def content(self, name: str) -> dict[str, bytes]:
        """Return all objects of a bucket."""
        found = {}
        for page in self.client.get_paginator("list_objects_v2").paginate(Bucket=name):
            for each in page.get("Contents", ()):
                body = self.client.get_object(Bucket=name, Key=each["Key"])["Body"]
                found[each["Key"]] = body.read()
        return found

    def changed(self, name: str) -> dict[str, Any]:
        """Return when each object of a bucket was written."""
        page = self.client.list_objects_v2(Bucket=name)
        return {each["Key"]: each["LastModified"] for each in page.get("Contents", ())}


@contextlib.contextmanager
def serving() -> Iterator[ObjectStore]:
    """Start an object store; skip the test where its packages are missing."""
    for package in ("s3fs", "moto.server", "boto3", "flask"):
        pytest.importorskip(package, reason="the object store needs s3fs and moto[server]")
    with reserved() as port:
        process = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "MOTO_CALL_RESET_API": "false"},
        )
        try:
            deadline = time.monotonic() + _PATIENCE
            while True:
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                assert process.poll() is None, "the object store has ended"
                assert time.monotonic() < deadline, "the object store does not start"
                time.sleep(0.05)
            yield ObjectStore(port)
        finally:
            process.kill()
            process.wait()


class StallingProxy:
    """Forwards connections to a server until one of them has sent so many bytes; then it forwards no more of that one.

    Args:
        port: of the server.
        limit: how many bytes of a connection are forwarded.

    Attributes:
        port: of the proxy.
        stalled: set once a connection has reached the limit.

    """

    def __init__(self, port: int, limit: int) -> None:
        self._server = port
        self._limit = limit
        self.stalled = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._sockets = [self._listener]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> StallingProxy:
        return self

    def __exit__(self, *_: object) -> None:
        for each in self._sockets:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._server))
                self._sockets += (client, server)
                for arguments in ((client, server, self._limit), (server, client, None)):
                    threading.Thread(target=self._forward, args=arguments, daemon=True).start()

    def _forward(self, source: socket.socket, sink: socket.socket, limit: int | None) -> None:
        sent = 0
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                sent += len(data)
                if limit is not None and sent > limit:
                    self.stalled.set()
                    return  # both ends stay open, and nothing more arrives
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
