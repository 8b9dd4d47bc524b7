"""Settings for all tests, and their tiers (CONTRIBUTING.md, Tests)."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings
from hypothesis.internal.conjecture import providers
from tiers import FOLDERS, QUICK, TIERS

if TYPE_CHECKING:
    from collections.abc import Generator

# Timings belong in benchmarks/; a busy machine must fail no test. The same commit gives the same result in the
# profiles `quick` and `full`; `nightly` draws other examples in each run.
_SAME: dict[str, Any] = {
    "deadline": None,
    "derandomize": True,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large],
}
settings.register_profile("quick", max_examples=QUICK, **_SAME)
settings.register_profile("full", **_SAME)
settings.register_profile("nightly", deadline=None, print_blob=True)
settings.load_profile("quick")

# Hundreds of tests start Python. Without byte code each of them would compile the project anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The key of caches is made there.
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="linkfix-state-")
atexit.register(shutil.rmtree, os.environ["XDG_STATE_HOME"], ignore_errors=True)


def _set_usual_handlers() -> None:
    """Set the handlers of signals that tests send.

    A shell ignores SIGINT for what it runs in the background, and nohup ignores SIGHUP; Python and its children inherit
    that. Spark sets a handler of its own.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


TESTS = Path(__file__).parent
#: A test of public data with more lines of figures is counted instead.
FEW = 6
STARTED = time.monotonic()

#: What a test of the tier `unit` never does (events of `sys.addaudithook`).
_OUTSIDE = {
    *("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec"),
    *("socket.bind", "socket.connect", "socket.sendmsg"),
}
_in_unit = False


def _refuse(event: str, _: tuple[object, ...]) -> None:
    if _in_unit and event in _OUTSIDE:
        message = f"{event}: a test that starts a process or a server has the mark `system`"
        raise RuntimeError(message)


sys.addaudithook(_refuse)


@pytest.hookimpl(trylast=True)
def pytest_configure() -> None:
    """Take no constants from modules for examples, where each run shall draw the same ones.

    Else they depend on which modules a worker has loaded, and change with every line of the project.
    """
    if settings().derandomize:
        vars(providers)["is_local_module_file"] = lambda _: False


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the properties, and each test with its tier; begin with the folders whose modules take long."""
    order = [*FOLDERS]

    @cache
    def folder_of(path: Path) -> str:
        return path.relative_to(TESTS).parts[0]

    def rank(item: pytest.Item) -> int:
        folder = folder_of(item.path)
        return order.index(folder) if folder in FOLDERS else len(order)

    items.sort(key=rank)
    for item in items:
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker("property")
        if not any(item.get_closest_marker(tier) for tier in TIERS):
            item.add_marker(FOLDERS.get(folder_of(item.path), "unit"))


def _print_figures(terminal: pytest.TerminalReporter, reports: list[pytest.TestReport]) -> None:
    """Print what each test of public data printed, and for a test of many charsets how many of them passed."""
    lines: dict[str, list[str]] = {}
    for each in reports:
        if "conformance" in each.keywords and each.when == "call":
            name = each.nodeid.partition("[")[0]
            shown = each.capstdout.strip() if each.passed else f"{each.outcome}: {each.nodeid}"
            lines.setdefault(name, []).append(shown)
    if lines:
        terminal.section("conformance suites")
    for name, figures in sorted(lines.items()):
        distinct = [*filter(None, dict.fromkeys(figures))]
        if 0 < len(distinct) <= FEW:
            for line in distinct:
                terminal.write_line(line)
        else:
            passed = sum(not each.startswith("failed: ") for each in figures)
            terminal.write_line(f"{name}: {passed} of {len(figures)} pass")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--seconds", type=int, help="begin no test after so many seconds (continuous integration)"
    )


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Set the usual handlers of signals; skip what a bounded run does not reach, which the summary counts."""
    _set_usual_handlers()
    limit = item.config.getoption("seconds")
    if limit and time.monotonic() > STARTED + limit:
        pytest.skip(f"not reached within {limit} seconds")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Refuse processes and servers to a test of the tier `unit`."""
    global _in_unit  # noqa: PLW0603 - an audit hook cannot be removed
    _in_unit = item.get_closest_marker("unit") is not None
    try:
        return (yield)
    finally:
        _in_unit = False


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the figures of the conformance suites, and how many tests each tier has and how long they took on all workers."""
    stats = [each for several in terminalreporter.stats.values() for each in several]
    reports = [each for each in stats if isinstance(each, pytest.TestReport)]
    _print_figures(terminalreporter, reports)
    for tier in TIERS:
        ours = [each for each in reports if tier in each.keywords]
        if ours:
            count = len({each.nodeid for each in ours})
            seconds = sum(each.duration for each in ours)
            terminalreporter.write_line(f"{tier}: {count:,} tests, {seconds:,.0f} s")
