"""Learning by self-play: a policy network guides the search that trains it. The only room that imports PyTorch."""
