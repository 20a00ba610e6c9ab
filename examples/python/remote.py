#!/usr/bin/python3
"""The command of the package beside it, without installing it: `remote.py next` is `python -m baton_remote next`."""

import sys

sys.dont_write_bytecode = True
from baton_remote.__main__ import main  # noqa: E402

if __name__ == "__main__":
    main()
