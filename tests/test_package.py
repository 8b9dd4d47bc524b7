"""The names of ``import linkfix``, and the modules that it loads."""

from __future__ import annotations

import subprocess
import sys

import pytest

import linkfix

pytestmark = pytest.mark.system


def test_dir_shows_the_public_names() -> None:
    assert {*linkfix.__all__, "iri", "trees", "__version__"} == {*dir(linkfix)}
    for name in dir(linkfix):
        assert getattr(linkfix, name) is not None


def test_modules_are_there_without_an_import_of_their_own() -> None:
    code = (
        "import linkfix; print(linkfix.iri.convert('a b', to='uri').text, linkfix.trees.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "a%20b linkfix.trees\n"


def test_importing_the_package_loads_nothing_else_of_it() -> None:
    code = (
        "import sys, linkfix; print([name for name in sys.modules if name.startswith('linkfix.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"


def test_a_python_with_wrong_possessive_quantifiers_is_refused() -> None:
    fault = 'import re; real = re.match; re.match = lambda p, *a: real("ab" if "b(?=c)" in p else p, *a); import linkfix'
    done = subprocess.run([sys.executable, "-c", fault], check=False, capture_output=True)
    assert done.returncode == 1
    assert b"use Python 3.11.5 or newer" in done.stderr
