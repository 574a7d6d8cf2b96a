"""The Go project of Brown's CSCI 0410: its runner, its interfaces and its tasks, over the native Go of Ludus.

Modules that have a course file's name (`agents`, `game_runner`, `go_search_problem`, …) offer what that file offers, so
a student's file runs on them when its imports are changed. `python -m ludus.courses.brown` is the course's runner.
"""
