"""A plugin of pytest: ``pytest --linkfix FOLDER`` adds a test that audits a site."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("linkfix")
    group.addoption(
        "--linkfix", action="append", default=[], metavar="FOLDER", help="audit the links of a site"
    )
    group.addoption("--linkfix-base", metavar="IRI", help="the address of that site")


def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add a test for each folder."""
    for folder in config.getoption("linkfix"):
        items.append(SiteItem.from_parent(session, name=f"linkfix:{folder}", folder=folder))  # noqa: PERF401


class SiteItem(pytest.Item):
    """The audit of a site."""

    def __init__(self, *, folder: str, **extra: object) -> None:
        super().__init__(**extra)  # type: ignore[arg-type]
        self._folder = folder

    def runtest(self) -> None:
        """Audit the site.

        Raises:
            AssertionError: there are errors, or documents that cannot be read.

        """
        from linkfix.plugins.built import audited

        base = self.config.getoption("linkfix_base")
        found = [text for severity, text in audited(self._folder, base) if severity == "error"]
        if found:
            raise AssertionError("\n".join(found))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: object) -> str:
        """Return the errors, without a traceback."""
        return str(excinfo.value)

    def reportinfo(self) -> tuple[str, None, str]:
        """Return the name of the test."""
        return self._folder, None, self.name
