"""A client that plays in a tournament."""
