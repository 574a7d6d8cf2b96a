"""The course's runner as `python -m ludus.courses.brown`."""

from ludus.courses.brown.command_line import main

main()
