"""Where the same work is done on many items: here, in processes of this machine, or on Ray."""
