"""Why a search differs: each cause is tested, by its predictions or by asking the search again."""

from collections.abc import Callable

import chess

from betacut import engine
from betacut.lab.checking.calls import Answer, Question, after, question_of
from betacut.lab.checking.cases import cost, going_on
from betacut.lab.checking.causes import best_model, gather, probes
from betacut.lab.checking.examiner import Examiner, Questions
from betacut.lab.checking.recorder import Parting, parting_of
from betacut.lab.checking.report import Cause, signed
from betacut.lab.checking.seen import runs_deep, seen_cause, small_infinity
from betacut.lab.checking.tables import named_table
from betacut.lab.checking.truth import Expected
from betacut.reference.rules import game_end

PROBLEMS = ("value", "move", "counts")  # what may differ in an answer that has no fault
REPEATS = 5  # how often a question is asked again, to see whether the answer stays the same
LATEST = 60  # how many of the latest questions are tried as the one that spoils an answer

_POP = "Each board.push() needs one board.pop() on every way out of the loop, that of a cutoff too."


# A wrong answer that depends on what was asked before.


def spoiler(examiner: Examiner, question: Question, problem: str) -> tuple[Questions, Cause] | None:
    """Find out whether an earlier question is to blame."""
    subject = examiner.subject
    history = subject.history[:-1]
    answers = [subject.ask(question) for _ in range(REPEATS)]
    scores = [answer.score for answer in answers]
    if problem == "value" and len(set(scores)) > 1:
        shown = ", ".join("none" if score is None else f"{score:+}" for score in scores)
        text = f"Asked the same again, the search gives other values: {shown}."
        return named_table(examiner) or ((question,), Cause("repeat", text))
    if len({(answer.score, answer.move) for answer in answers}) > 1:
        return named_table(examiner)  # or the move is drawn by lot
    if not subject.can_be_made:
        return named_table(examiner)
    if examiner.differs((question,), problem):
        return None
    for earlier in reversed(history[-LATEST:]):
        if examiner.differs((earlier, question), problem):
            return _kept(examiner, (earlier, question))
    if examiner.differs((*history, question), problem):
        # The fewest of the latest questions that still do it.
        size = len(history)
        while size > 1 and examiner.differs((*history[-(size // 2) :], question), problem):
            size //= 2
        return _kept(examiner, (*history[-size:], question))
    text = "The answer is wrong after what was asked before, but not when that is asked again."
    return (question,), Cause("repeat", text)


def _kept(examiner: Examiner, questions: Questions) -> tuple[Questions, Cause]:
    """Say what is kept from one search to the next, if experiments show it."""
    if (named := named_table(examiner)) is not None:
        return named
    count = len(questions) - 1
    before = "the question before it" if count == 1 else f"{count} other questions"
    text = (
        f"Asked alone the answer is right; after {before} it is wrong: something is kept from "
        "one search to the next. What that is none of the experiments has shown."
    )
    return questions, Cause("table", text)


# A wrong answer by itself.


def explained(examiner: Examiner, smallest: Question, problem: str, answer: Answer) -> Cause:
    """Explain the answer to a question that is wrong by itself."""
    questions = (smallest, *probes())
    if problem not in PROBLEMS:
        # What an exception before any move comes from is not to be seen on the board.
        if problem != "exception" or not examiner.watched(smallest).pushes:
            return explained_fault(answer)
        seen = _left_on_board(examiner, answer) or seen_cause(examiner, questions)
        return seen or explained_fault(answer)
    if problem == "counts":
        return _count(examiner, smallest, answer)
    if problem == "value":
        shown = small_infinity(examiner, smallest) or runs_deep(examiner)
        if shown is not None:
            return shown
    evidence = gather(examiner, smallest)
    if problem == "move":
        # A wrong value that is not that of the best move shows nowhere but in the move.
        evidence.sort(key=lambda one: one.seen_from(examiner.view).is_right)
        if not evidence or evidence[0].seen_from(examiner.view).is_right:
            return _move(examiner, smallest, answer)
    tells = evidence and (problem == "move" or evidence[0].question == smallest)
    is_known = tells and examiner.evaluation_is_known
    if is_known and (found := best_model(examiner, evidence)) is not None:
        cause, examiner.view = found
        examiner.view_is_decided = True
        return cause
    if problem == "move":
        return _move(examiner, smallest, answer)
    return (
        seen_cause(examiner, questions)
        or _evaluations(examiner)
        or _root(examiner, smallest, answer)
        or Cause("unknown", "None of the causes that were tried predicts the values.")
    )


def _left_on_board(examiner: Examiner, answer: Answer) -> Cause | None:
    """After an exception: see whether the board is left changed where there is none."""
    assert answer.fault is not None
    for question in probes():
        fault = examiner.watched(question).fault
        if fault is not None and fault.kind == "board":
            text = (
                "The board is not left as it was, and then the search raises "
                f"{answer.fault.text}. "
                f"In {question.fen}, depth {question.depth}, it raises nothing: {fault.text}. "
                f"{_POP}"
            )
            return Cause("board", text)
    return None


def _evaluations(examiner: Examiner) -> Cause | None:
    """Compare static values: in positions with one move, depth 1 leaves nothing to choose."""
    if examiner.evaluation is not None or not examiner.evaluation_is_known:
        return None
    asked, wrong, turned, example = 0, 0, 0, ""
    men = list(_MEN)
    for board in going_on("forced", examiner.seed, range(1 << 34, (1 << 34) + 400)):
        if board.legal_moves.count() != 1:
            continue
        child = after(board, next(iter(board.legal_moves)))
        if game_end(child) is not None:
            continue
        question = question_of(board, 1)
        answer = examiner.subject.last_of([question], "moves")
        got = examiner.white(question, answer)
        static = engine.evaluate_position(child)
        if got is None or answer.pushes != 1 or examiner.truth.answer(question).score != static:
            continue  # it does not look at this leaf alone, or is not to
        asked += 1
        men = [values for values in men if _counted(child, values) == got]
        if got != static:
            wrong += 1
            turned += got == -static
            example = example or f"{child.fen()} is worth {static:+} here and {got:+} to yours"
        if asked == 12:
            break
    if wrong < 3 or wrong < asked / 2 or turned == wrong:
        return None
    what = "The static evaluation differs, not (only) the search"
    if men:
        what = f"Leaves are worth their material only ({', '.join(map(str, men[0]))})"
    text = (
        f"{what}: "
        f"{example}. Tested: in {wrong} of {asked} positions with a single move, where depth 1 "
        "leaves nothing to choose and the search makes no further move, the values differ. "
        "Give your evaluation as evaluation=."
    )
    return Cause("evaluation", text)


# What a pawn, a knight, a bishop, a rook and a queen are often worth.
_MEN = [
    tuple(unit * value for value in values)
    for unit in (1, 100)
    for values in ((1, 3, 3, 5, 9), (1, 3, 3.5, 5, 9), (1, 3.2, 3.3, 5, 9), (1, 3, 3.25, 5, 9))
]


def _counted(board: chess.Board, values: tuple[float, ...]) -> float:
    """Count the men, White's less Black's."""
    return sum(
        value * (len(board.pieces(kind, chess.WHITE)) - len(board.pieces(kind, chess.BLACK)))
        for kind, value in zip(chess.PIECE_TYPES[:-1], values, strict=True)
    )


def _root(examiner: Examiner, smallest: Question, answer: Answer) -> Cause | None:
    """Ask about the children: if all are right alone, the root hands on something wrong."""
    best, got = examiner.truth.answer(smallest).score, examiner.white(smallest, answer)
    if smallest.depth < 2 or got is None:
        return None
    board = smallest.board
    is_more = got > best if board.turn == chess.WHITE else got < best
    count, ends = 0, []
    for move in list(board.legal_moves):
        child = question_of(after(board, move), smallest.depth - 1)
        if game_end(child.board) is not None:
            # It cannot be asked; what it is taken for may be what the root gets, or does not get.
            if is_more or examiner.exact(child.board, child.depth) == best:
                ends.append(board.san(move))
            continue
        answer = examiner.subject.last_of([child])
        if examiner.problem(child, answer) == "value" or answer.score is None:
            return None
        count += 1
    if ends:
        text = (
            f"Asked by itself, each of the {count} children at which the game goes on has the "
            f"right value at depth {smallest.depth - 1}; after {' or '.join(ends)} it is over. Is "
            "that end seen, and worth what it must be?"
        )
        return Cause("unknown", text)
    text = (
        f"Asked by itself, each of the {count} children has the right value at depth "
        f"{smallest.depth - 1}, and yet the root does not get the best of them."
    )
    if examiner.leaves_out_moves():
        text += (
            " The search makes fewer moves than minimax: where it must not, it cuts, leaves "
            "moves out, or takes a bound for a value."
        )
    return Cause("unknown", text)


def _move(examiner: Examiner, question: Question, answer: Answer) -> Cause:
    """Say by which rule the move is chosen, or at least what it is worth."""
    if answer.move is None:
        return Cause("move", "The value is right, but no move is returned.")
    if (chosen := _chosen_move(examiner)) is not None:
        return chosen
    value = examiner.values_after(question)[answer.move]
    text = (
        f"The value is right, but the move {question.board.san(answer.move)} reaches "
        f"{signed(value)} only, not {signed(examiner.truth.answer(question).score)}."
    )
    return Cause("move", text)


def _count(examiner: Examiner, question: Question, answer: Answer) -> Cause:
    """Try other ways to count."""
    if answer.nodes is None:
        text = "No count was returned: return (score, move, nodes), or give a recorder."
        return Cause("counts", text)
    ways: list[tuple[str, Callable[[Expected], int]]] = [
        ("The root is not counted.", lambda one: (one.nodes or 0) - 1),
        ("The root is counted twice.", lambda one: (one.nodes or 0) + 1),
        (
            "The search for all best moves is counted too: statistics.nodes, not root_nodes.",
            lambda one: one.statistics.nodes if one.statistics else 0,
        ),
    ]
    asked = [question, *probes()[::4]]
    answers = [(examiner.truth.answer(one), examiner.subject.last_of([one]).nodes) for one in asked]
    for text, count in ways:
        agreed = sum(count(expected) == nodes for expected, nodes in answers)
        if count(answers[0][0]) == answers[0][1] and agreed >= 0.9 * len(asked):
            tested = f" Tested: so counted, {agreed} of {len(asked)} counts agree."
            return Cause("counts", text + tested)
    agreed = sum(expected.nodes == nodes for expected, nodes in answers)
    text = (
        f"The values agree and the counts do not; {agreed} of {len(asked)} counts are equal. "
        "Count every call of the search once, leaves included, and take the moves in the order "
        "of engine.legal_moves(board): alpha-beta's count depends on it."
    )
    return Cause("counts", text)


def first_parting(examiner: Examiner, questions: Questions) -> Parting | None:
    """Find the first wrong node that the search recorded."""
    recorder = examiner.subject.recorder
    if recorder is None:
        return None
    examiner.subject.last_of(questions)
    examiner.subject.fetch_record()
    return parting_of(recorder, questions[-1].board, examiner.exact)


def explained_fault(answer: Answer) -> Cause:
    """Put a fault into words."""
    fault = answer.fault
    assert fault is not None
    said = f"{fault.text[:1].upper()}{fault.text[1:]}"
    text = {
        "board": f"The board was not left as it was: {fault.text}. {_POP}",
        "crash": f"{said}.",
        "exception": f"The search raised {fault.text}.",
        "illegal move": f"{said} is not legal in the position that was asked.",
    }.get(fault.kind, f"{said}; it must be {fault.expected}.")
    return Cause(fault.kind, text)


# A wrong move with the right value: rules that are tested by the moves they predict.


Asked = tuple[Question, chess.Move]  # a question, and the move that was returned
MOST_COST = 500  # the greatest product of the numbers of moves of a question
TOLD = 4  # how many wrong moves a rule must predict
Rule = Callable[[Examiner, Question], set[chess.Move]]  # the moves that a rule may choose


def _best_at(more: int) -> Rule:
    def rule(examiner: Examiner, question: Question) -> set[chess.Move]:
        if question.depth + more < 1:
            return set()
        other = Question(question.fen, question.depth + more)
        return set(examiner.truth.answer(other).best_moves or ())

    return rule


def _worst(examiner: Examiner, question: Question) -> set[chess.Move]:
    values = examiner.values_after(question)
    worst = min(values.values()) if question.board.turn else max(values.values())
    return {move for move, value in values.items() if value == worst}


_RULES: list[tuple[str, Rule]] = [
    (
        "It is always the first move generated: the best move is not kept along with its value.",
        lambda _, question: {next(iter(question.board.legal_moves))},
    ),
    (
        "It is always the last move generated: the move is kept whenever a child was searched.",
        lambda _, question: {[*question.board.legal_moves][-1]},
    ),
    ("It is always a move with the worst value.", _worst),
    ("It is always a best move of the search that is a ply less deep.", _best_at(-1)),
    ("It is always a best move of the search that is a ply deeper.", _best_at(1)),
]


def _chosen_move(examiner: Examiner) -> Cause | None:
    """Find the rule by which wrong moves are chosen, though the values are right."""
    asked: list[Asked] = []
    small = [one for one in probes() if one.depth <= 2 or cost(one.board, 2) <= MOST_COST]
    deeper = [Question(one.fen, 2) for one in small if cost(one.board, 2) <= MOST_COST]
    for question in dict.fromkeys([*(one for one in small if one.depth <= 2), *deeper]):
        answer = examiner.subject.last_of([question])
        if answer.move is not None and examiner.problem(question, answer) in (None, "move"):
            asked.append((question, answer.move))
    right = {one: set(examiner.truth.answer(one[0]).best_moves or ()) for one in asked}
    found = []
    for text, rule in _RULES:
        # What is right anyway says nothing.
        telling = [
            (move, chosen)
            for question, move in asked
            if (chosen := rule(examiner, question)) and not chosen & right[question, move]
        ]
        if len(telling) >= TOLD and all(move in chosen for move, chosen in telling):
            found.append((text, len(telling)))
    wrong = [one for one in asked if one[1] not in right[one]]
    if len(found) == 1:
        text, count = found[0]
        tested = f"Tested: so it is in all {count} positions where such a move is not the best."
        return Cause("move", f"The value is right, the move is not. {text} {tested}")
    if found or len(wrong) < TOLD or not _are_bounds(examiner, asked, wrong):
        return None
    shallow = sum(question.depth == 1 for question, _ in asked)
    text = (
        "The value is right, the move is not. The move is one whose value is only a bound: it is "
        "searched with a window that ends at the best value, fails, and returns just that value. "
        f"Tested: at depth 1, where no bounds are, all {shallow} moves are right; deeper, the "
        f"{len(wrong)} wrong ones are all later moves than the first best one, and the search "
        "cuts. A move is better, or equal, only if its value is inside the window."
    )
    return Cause("move", text)


def _are_bounds(examiner: Examiner, asked: list[Asked], wrong: list[Asked]) -> bool:
    """Tell whether the wrong moves are those of bounds that equal the best value."""
    if sum(question.depth == 1 for question, _ in asked) < TOLD:
        return False
    if any(question.depth == 1 for question, _ in wrong) or not examiner.leaves_out_moves():
        return False
    for question, move in wrong:
        moves = [*question.board.legal_moves]
        best = examiner.truth.answer(question).best_moves or ()
        if moves.index(move) < min(moves.index(one) for one in best):
            return False
    return True
