"""The theatres of tree search and alpha-beta: what happens, step by step, told for a page."""
