"""The command line: argparse in a thin layer, one file a subcommand, each imported only when it is called."""
