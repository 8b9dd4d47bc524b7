"""A program for ``spark-submit``, which starts files of Python: ``spark-submit … submit.py extract PATH… --output DIR``."""

import sys

from linkfix.cli import main

if __name__ == "__main__":
    sys.argv.insert(1, "spark")
    main()
