"""`betacut eval`, and the option `--evaluation`."""

from functools import partial
from typing import TYPE_CHECKING

import click

from betacut.cli.arguments import json_option, named_option, position_argument, read_board
from betacut.cli.errors import unknown
from betacut.cli.framework import command
from betacut.cli.names import EVALUATIONS
from betacut.cli.output import line_width, print_json
from betacut.core.messages import shown

if TYPE_CHECKING:
    from betacut.evaluation import Evaluation

EVALUATION = f"What positions are worth: {', '.join(EVALUATIONS)}, or a file of JSON or TOML."

any_evaluation = partial(
    named_option, EVALUATIONS, "--evaluation", "-e", metavar="NAME|FILE", or_file=True
)
evaluation_option = any_evaluation(default="simplified", help=EVALUATION)


def read_evaluation(text: str) -> "Evaluation":
    """Read an evaluation from the command line."""
    from betacut.evaluation import Evaluation

    if text in EVALUATIONS:
        return Evaluation.preset(text)
    from pathlib import Path

    readers = {".json": Evaluation.from_json, ".toml": Evaluation.from_toml}
    path = Path(text)
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise unknown("evaluation", text, EVALUATIONS, ", or a file that ends in .json or .toml")
    try:
        return reader(path)
    except UnicodeDecodeError:
        raise ValueError(f"the evaluation {shown(text)} is no text in UTF-8") from None
    except OSError as error:
        raise ValueError(
            f"cannot read the evaluation {shown(text)}: {error.strerror or error}"
        ) from None


@command("eval")
@position_argument
@evaluation_option
@json_option
def evaluate(position: tuple[str, ...], evaluation: str, as_json: bool) -> None:
    """Evaluate a position without a search: what each piece contributes, and the score."""
    explanation = read_evaluation(evaluation).explain(read_board(position))
    if as_json:
        print_json(explanation.to_dict())
    else:
        click.echo(explanation.to_text(min(line_width(), 80)))
