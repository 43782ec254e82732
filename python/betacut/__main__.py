"""Where the command `betacut` begins: `python -m betacut` is the same.

Nothing is imported here but what Python has loaded anyway, so that Ctrl-C works while the rest is
being loaded.
"""

import sys


def main() -> None:
    """Load the command and run it with the arguments of the process."""
    try:
        from betacut import cli
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write("betacut: interrupted\n")
        sys.exit(130)
    cli.main()


if __name__ == "__main__":
    main()
