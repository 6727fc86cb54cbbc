"""`python -m errdex_client`: the command, where no script of that name is on the path."""

from errdex_client.command import main

if __name__ == "__main__":
    main()
