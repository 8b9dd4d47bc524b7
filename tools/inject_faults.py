"""Make every system call of every command fail with every error, and print the runs that do not end as documented.

    python tools/inject_faults.py [COMMAND…]

The tests run a sample of these (tests/faults); this needs an hour.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from faults.injection import compile_shim, inject


def main() -> None:
    """Run, and exit with 1 where anything is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        result = inject(compile_shim(Path(folder)), sys.argv[1:], most=None)
    for wrong in result["wrong"]:
        print(wrong)
    print(f"{result['runs']:,} runs, {len(result['wrong']):,} of them wrong")
    sys.exit(bool(result["wrong"]))


if __name__ == "__main__":
    main()
