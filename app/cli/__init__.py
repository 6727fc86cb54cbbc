"""The command line: `errdex COMMAND`. It words what services answer, and turns what went wrong into an exit code."""


def main() -> None:
    """Run the command line on `sys.argv` and end the process with its exit code."""
    from app.cli.root import cli

    cli()
