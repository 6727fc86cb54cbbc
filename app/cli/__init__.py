"""The command line: `errdex COMMAND`. It words what services answer, and turns what went wrong into an exit code."""

import gc


def main() -> None:
    """Run the command line on `sys.argv` and end the process with its exit code."""
    # What is imported stays. To look through it for cycles again and again takes a tenth of a short command's time; the
    # command that is called has it switched on.
    gc.disable()
    from app.cli.root import cli

    cli()
