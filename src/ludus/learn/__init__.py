"""The school: a policy network steers the search that trains it. The only room that imports torch."""
