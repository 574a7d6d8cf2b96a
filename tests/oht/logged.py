"""A log that a test can read: the warnings and errors, each on a line, without their time."""

import logging


class Bare(logging.Formatter):
    def format(self, record):
        return record.getMessage()


def logger_to(text):
    """A logger of its own that writes to a text."""
    logger, handler = logging.Logger("test"), logging.StreamHandler(text)
    handler.setFormatter(Bare())
    logger.setLevel(logging.WARNING)
    logger.addHandler(handler)
    return logger
