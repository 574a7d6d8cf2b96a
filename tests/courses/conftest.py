"""What the tests of the courses share."""

from tests.oht.scripted import folder

__all__ = ["folder"]  # of the scripted server, for NTNU's clients
