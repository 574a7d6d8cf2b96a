"""The program `ludus` as `python -m ludus.cli`: how other programs start it."""

from __future__ import annotations

import signal

from ludus.cli import main

if __name__ == "__main__":
    # A shell that starts a program in the background lets it ignore Ctrl-C, and so do all processes of that program.
    # Whoever starts this one must be able to stop it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main()
