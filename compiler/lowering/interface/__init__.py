"""What the source has between its stages and with the host, in the form that machines have it."""
