"""Several agents, each with its own context, workspace and computer, all of them kept in folders."""
