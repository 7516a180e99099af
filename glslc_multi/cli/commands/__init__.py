"""The subcommands, a file each, imported when called."""
