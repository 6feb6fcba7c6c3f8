"""Memory that leaves and arrives: the age file, the archive inside it, and foreign formats."""
