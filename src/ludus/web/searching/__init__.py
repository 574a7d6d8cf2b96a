"""Searches outside the event loop: the pool of workers, and the tasks they do."""
