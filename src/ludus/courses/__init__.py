"""The exact interfaces of four university courses, each a thin face over the rest."""
