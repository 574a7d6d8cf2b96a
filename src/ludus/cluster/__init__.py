"""Ray: self-play and tournaments on more than one machine. The only room that imports it."""
