def level() -> str:
    """The highest level of x86-64 that this processor has: "baseline", "v3" or "v4"."""
