"""Causes that are seen in what a search does: in the moves it makes on the board it is given.

All but the first two hold only if what it does explains what it returns: the value is that of
minimax over the nodes that it visited, or the search says its windows and values itself.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import chess

from betacut.core.constants import MATE
from betacut.lab.checking.calls import Answer, Question, after
from betacut.lab.checking.cases import cost
from betacut.lab.checking.causes import probes
from betacut.lab.checking.examiner import Examiner
from betacut.lab.checking.model import Number
from betacut.lab.checking.report import Cause, signed
from betacut.lab.checking.trace import Call, Trace, Window
from betacut.reference.rules import game_end

MANY = 9  # of how many wrong answers windows and values are looked at
ENOUGH = 3  # how many wrong answers must show it
PLIES = 3  # how far the values of ended games may be apart: the depth of the questions
FEW = 15  # how many moves a position may have where a search goes too deep
SHARE = 0.9  # the share of the answers that must be explained by the nodes visited


class Seen(NamedTuple):
    """A question, its answer, and what the search did meanwhile."""

    question: Question
    answer: Answer
    trace: Trace
    score: Number | None
    is_wrong: bool


def seen_cause(examiner: Examiner, questions: Iterable[Question]) -> Cause | None:
    """Watch the search at some questions, and see what it does wrong."""
    shown = []
    for question in questions:
        answer = examiner.watched(question)
        trace = answer.trace
        if trace is None or trace.pushes != len(trace.nodes) - 1:
            continue
        if not trace.is_faithful(question.board):
            continue
        problem = examiner.problem(question, answer)
        shown.append(Seen(question, answer, trace, examiner.white(question, answer), bool(problem)))
    wrong = [one for one in shown if one.is_wrong and one.trace.pushes]
    if len(wrong) < ENOUGH:
        return None
    if (cause := _impossible(wrong)) is not None:
        return cause
    # What ended with an exception says nothing of what was to come.
    wrong, shown = ([one for one in some if not one.answer.fault] for some in (wrong, shown))
    if (cause := _passes(wrong) or _again(examiner, wrong)) is not None:
        return cause
    shallow = [one for one in shown if one.question.depth == 1]
    explained: dict[Question, bool] = {}
    for look, some in ((_left_out, shallow), (_leaves, shown), (_cuts, shown)):
        if _explains(examiner, some, explained) and (cause := look(examiner, some)) is not None:
            return cause
    return None


def runs_deep(examiner: Examiner) -> Cause | None:
    """See what a search does that makes far more moves at depth 1 than there are."""
    shallow = [one for one in probes() if one.depth == 1 and cost(one.board, 1) <= FEW]
    deep = sum(
        (examiner.watched(question).pushes or 0) > 3 * question.board.legal_moves.count()
        for question in shallow
    )
    if deep < ENOUGH:
        return None
    # At depth 1 a ply more and twice the plies are the same.
    deeper = [Question(one.fen, 2) for one in shallow if cost(one.board, 2) <= FEW * 4]
    return seen_cause(examiner, [*shallow, *deeper[:ENOUGH]]) if deeper else None


# Moves that no rule allows.


def _impossible(wrong: list[Seen]) -> Cause | None:
    """See whether moves are made that are not legal."""
    found = [moves for one in wrong if (moves := list(_illegal(one)))]
    if len(found) < ENOUGH or len(found) < len(wrong) / 2:
        return None
    text = "Moves are made that leave the king in check: board.pseudo_legal_moves has them, too."
    if not all(is_pseudo for moves in found for _, _, is_pseudo in moves):
        text = (
            "Moves are made that belong to other positions: do the levels share one list of moves?"
        )
    fen, move, _ = found[0][0]
    tested = (
        f"Tested: watched at {len(wrong)} questions that are answered wrongly, it makes such moves "
        f"in {len(found)} of them, the first {move.uci()} in {fen}."
    )
    return Cause("moves", f"{text} {tested}")


def _illegal(one: Seen) -> Iterator[tuple[str, chess.Move, bool]]:
    """Find the moves that are not legal where they are made, and whether all but the king is."""
    for node, board in one.trace.boards(one.question.board):
        for number in node.children:
            move = one.trace.nodes[number].move
            if move and not board.is_legal(move):
                yield board.fen(), move, board.is_pseudo_legal(move)


def _passes(wrong: list[Seen]) -> Cause | None:
    """See whether nodes are left after a null move where others are searched after one."""
    cuts = others = 0
    for one in wrong:
        passes = [
            [not one.trace.nodes[child].move for child in node.children]
            for node, board in one.trace.boards(one.question.board, inner=True)
            if node.ply < one.question.depth and game_end(board) is None
        ]
        cuts += any(made[-1:] == [True] for made in passes)
        others += any(True in made[:-1] for made in passes)
    if len(wrong) < ENOUGH or cuts < len(wrong) or not others:
        return None
    text = (
        "The search makes null moves, and cuts where passing is good enough. That is selective: in "
        f"zugzwang passing is better than any move. Tested: it does so in all {len(wrong)} "
        "questions, of those watched, that are answered wrongly."
    )
    return Cause("selective", text)


# Windows that the search says itself.


def _again(examiner: Examiner, wrong: list[Seen]) -> Cause | None:
    """See whether what fails in a window is searched again."""
    deeper = []
    for one in [one for one in wrong if one.question.depth > 1][:MANY]:
        trace = examiner.subject.last_of([one.question], "values").trace
        deeper.append(one if trace is None else one._replace(trace=trace))
    if len(deeper) < ENOUGH:
        return None
    tested = (
        f"Tested: so it is in all {len(deeper)} questions of depth 2 and 3, of those watched, that "
        "are answered wrongly"
    )
    if all(_root_fails(one.trace) for one in deeper):
        window = _root_calls(deeper[0].trace)[-1].window
        assert window is not None
        text = (
            "The value of the last search of the root is outside its window, and it is not "
            f"searched again with a wider one: what it returned is a bound. {tested}; the first "
            f"such window is ({signed(window[0])}, {signed(window[1])})."
        )
        return Cause("window", text)
    if all(any(_fails_high(one)) for one in deeper):
        text = (
            "A move that is better than alpha in a null window is not searched again with the full "
            f"one: its value is a bound. {tested}."
        )
        return Cause("window", text)
    return None


def _root_calls(trace: Trace) -> list[Call]:
    functions = trace.searching
    return [call for call in trace.nodes[0].calls if call.function in functions]


def _root_fails(trace: Trace) -> bool:
    """Tell whether the last search of the root failed, in a window that was not the whole one."""
    calls = _root_calls(trace)
    if not calls or calls[-1].window is None or calls[-1].value is None:
        return False
    (low, high), value = calls[-1].window, calls[-1].value
    return low < high and not low < value < high


def _fails_high(one: Seen) -> Iterator[bool]:
    """Go through the moves that fail high in a null window; True if that was their last search."""
    functions = one.trace.searching
    call_of = [
        next((call for call in node.calls if call.function in functions), None)
        for node in one.trace.nodes
    ]
    for node, above in zip(one.trace.nodes, call_of, strict=True):
        if above is None or above.window is None or above.window[1] - above.window[0] <= 1:
            continue
        last = {one.trace.nodes[number].move: number for number in node.children}
        for number in last.values():
            call = call_of[number]
            if call is None or call.window is None or call.value is None:
                continue
            low, high = call.window
            # The mover's view: what the child fails low at is alpha + 1 above.
            if high - low == 1 and -call.value > -high and -call.value < above.window[1]:
                yield True


# What is visited explains what is returned.


def _explains(examiner: Examiner, shown: list[Seen], known: dict[Question, bool]) -> bool:
    """Tell whether the values are those of minimax over the nodes visited; remember which are."""
    scored = [one for one in shown if one.score is not None]
    for one in scored:
        if one.question not in known:
            known[one.question] = _is_same(_visited(examiner, one), one.score)
    agreed = sum(known[one.question] for one in scored)
    return len(scored) > ENOUGH and agreed >= SHARE * len(scored)


def _is_same(value: Number, score: Number | None) -> bool:
    """Tell whether two values are equal; the end of a game counts plies, which may be wrong."""
    assert score is not None
    is_end = abs(value) >= MATE or abs(value) <= PLIES
    return value == score or (is_end and abs(value - score) <= PLIES)


def _visited(examiner: Examiner, one: Seen) -> Number:
    """Compute minimax over the nodes visited, with static scores where there are none below.

    It is not a number if a king could be taken there.
    """
    nodes = one.trace.nodes
    values: dict[int, Number] = {}
    ends: dict[int, tuple[Number, bool]] = {}
    for node, board in one.trace.boards(one.question.board):
        if not (node.children or board.is_valid()):
            return math.nan
        left = one.question.depth - node.ply if game_end(board) is not None else 0
        value = 0 if node.children else examiner.exact(board, left)
        ends[node.number] = value, board.turn
    for number, (static, turn) in reversed(ends.items()):
        below = [values[child] for child in nodes[number].children if child in values]
        values[number] = (max(below) if turn else min(below)) if below else static
    return values[0]


def _left_out(examiner: Examiner, shown: list[Seen]) -> Cause | None:
    """See whether at depth 1, where nothing may be cut, moves are left out."""
    asked = [one for one in shown if one.trace.pushes]
    if not all(_is_minimax(examiner, one.question) for one in asked):
        return None  # what is right leaves moves out, too
    tried = [(one, _made(one), [*one.question.board.legal_moves]) for one in asked]
    fewer = [(one, made, legal) for one, made, legal in tried if set(legal) - set(made)]
    if sum(one.is_wrong for one, _, _ in fewer) < ENOUGH:
        return None
    several = [(made, legal) for _, made, legal in tried if len(legal) > 1]
    text = "Moves are left out: not every legal move is searched."
    if all(made == legal[:1] for made, legal in several):
        text = "Only the first move is searched: is there a return inside the loop?"
    elif all(made == legal[1:] for made, legal in several):
        text = (
            "The first move is never searched: a slice leaves it out, or it was taken from an "
            "iterator, by any() or next()."
        )
    elif all(_ends_at_alpha(examiner, one, made) for one, made, _ in fewer):
        text = (
            "The loop ends at the first move that is not better than alpha; a cutoff is where a "
            "value reaches beta."
        )
    elif all(len(made) == len(legal) or made == legal[::2] for _, made, legal in fewer):
        text = "Moves are left out: the list is changed, or sorted, while a loop goes through it."
    one, made, legal = fewer[0]
    missing = next(move for move in legal if move not in made)
    tested = (
        f"Tested: watched at {len(asked)} questions of depth 1, where nothing may be cut, it "
        f"leaves moves out in {len(fewer)}, such as {one.question.board.san(missing)} in "
        f"{one.question.fen}; its values are the best of those that it makes."
    )
    return Cause("moves", f"{text} {tested}")


def _made(one: Seen) -> list[chess.Move | None]:
    """The moves of the root, in their order."""
    return [one.trace.nodes[child].move for child in one.trace.nodes[0].children]


def _is_minimax(examiner: Examiner, question: Question) -> bool:
    """Tell whether the right value at depth 1 is that of the best of all moves."""
    values = examiner.values_after(question).values()
    best = max(values) if question.board.turn else min(values)
    return best == examiner.truth.answer(question).score


def _ends_at_alpha(examiner: Examiner, one: Seen, made: list[chess.Move | None]) -> bool:
    """Tell whether the last move made is the first that is no better than one before."""
    board = one.question.board
    boards = [after(board, move) for move in made if move and board.is_legal(move)]
    values = [examiner.exact(child, 0) * (1 if board.turn else -1) for child in boards]
    rises = [value < other for value, other in itertools.pairwise(values)]
    return rises[-1:] == [False] and all(rises[:-1])


def _leaves(examiner: Examiner, shown: list[Seen]) -> Cause | None:
    """See whether leaves lie at other depths than the one that was asked."""
    paths = [(one, list(_paths(one))) for one in shown if one.trace.pushes]
    odd = [(one, some) for one, some in paths if any(len(p) != one.question.depth for p in some)]
    if sum(one.is_wrong for one, _ in odd) < ENOUGH:
        return None
    if sum(one.is_wrong for one, _ in odd) < SHARE * sum(one.is_wrong for one, _ in paths):
        return None
    text = "The depth is not reduced by one a move: leaves lie at different depths."
    for said, fits in _DEPTHS:
        if all(fits(path, one.question.depth) for one, some in paths for path in some):
            text = said
            break
    else:
        if all(len({*map(len, some)}) == 1 for _, some in odd):
            stops = sorted({(one.question.depth, len(some[0])) for one, some in odd})
            stopped = (
                f"{plies} {'ply' if plies == 1 else 'plies'} deep at depth {depth}"
                for depth, plies in stops
            )
            text = f"The search stops {' and '.join(stopped)}."
        elif all(_falls(some) for _, some in paths):
            text = "Later moves are searched less deep: the depth is reduced inside the loop."
    one, some = odd[0]
    plies = sorted({len(path) for path in some})
    tested = (
        f"Tested: watched at {len(paths)} questions, it has leaves at other depths in {len(odd)}, "
        f"nine of ten wrong answers among them, such as {' and '.join(map(str, plies))} plies deep "
        f"at depth {one.question.depth} in {one.question.fen}; its values are those of minimax "
        "over what it visits."
    )
    return Cause("horizon", f"{text} {tested}")


Path = list[tuple[bool, bool]]  # of each move to a leaf: whether it captures, whether it checks


def _paths(one: Seen) -> Iterator[Path]:
    """Go through the lines to the leaves of games that are not over."""
    steps: list[tuple[bool, bool]] = []
    for node, board in one.trace.boards(one.question.board):
        if node.move is not None:
            del steps[node.ply - 1 :]
            move = board.pop()
            captures = bool(move) and board.is_capture(move)
            board.push(move)
            steps.append((captures, board.is_check()))
        if not node.children and node.move is not None and game_end(board) is None:
            yield list(steps)


def _costs(price: Callable[[bool, bool], int]) -> Callable[[Path, int], bool]:
    """Tell whether a leaf lies where moves of such prices use up the depth."""

    def fits(path: Path, depth: int) -> bool:
        spent = [price(*step) for step in path]
        return sum(spent[:-1]) < depth <= sum(spent)

    return fits


_DEPTHS: list[tuple[str, Callable[[Path, int], bool]]] = [
    ("The search looks a ply too far.", lambda path, depth: len(path) == depth + 1),
    ("Captures cost two plies.", _costs(lambda captures, _: 1 + captures)),
    ("Captures cost no depth.", _costs(lambda captures, _: 1 - captures)),
    ("Moves that give check cost no depth.", _costs(lambda _, checks: 1 - checks)),
    (
        "The depth counts moves of both sides, not plies: it is reduced for one of them only.",
        lambda path, depth: len(path) in (2 * depth - 1, 2 * depth),
    ),
]


def _falls(some: list[Path]) -> bool:
    """Tell whether the leaves, in order, come nearer to the root."""
    return all(len(one) >= len(other) for one, other in itertools.pairwise(some))


def _cuts(examiner: Examiner, shown: list[Seen]) -> Cause | None:
    """See whether moves are left out though no value reaches a bound."""
    wrong = [one for one in shown if one.is_wrong]
    cuts = [cut for one in wrong if (cut := _wrong_cut(examiner, one))]
    # A cut comes when a move raises the best value; a rule that leaves moves out does not wait.
    if len(cuts) < max(ENOUGH, len(wrong)) or not all(cut.rises for cut in cuts):
        return None
    if any(one.question.depth == 1 for one in wrong):
        return None  # there no window has been narrowed
    text = (
        "The search cuts where no value reaches a bound: alpha or beta come from another branch, "
        f"or are compared the wrong way round. Tested: so it does in all {len(cuts)} questions, "
        f"of those watched, that are answered wrongly: {cuts[0].text}; its values are those of "
        "minimax over what it visits."
    )
    return Cause("window", text)


class Cut(NamedTuple):
    """A node that is left too early, and whether its last move is the best so far."""

    text: str
    rises: bool


def _wrong_cut(examiner: Examiner, one: Seen) -> Cut | None:
    """Find a node where the search stops though the best value there is inside the window."""
    nodes, root = one.trace.nodes, one.question.board
    windows: dict[int, Window] = {}
    exact: dict[int, Number] = {}
    places: list[tuple[int, chess.Board]] = []
    for node, board in one.trace.boards(root):
        moves = [nodes[child].move for child in node.children]
        if len(moves) > len(set(moves)):
            return None  # it searches again: what a window is then is not known
        if not board.is_valid():
            return None
        exact[node.number] = examiner.exact(board, one.question.depth - node.ply)
        places.append((node.number, board.copy(stack=node.ply)))
    for number, board in places:
        low, high = windows.setdefault(number, (-math.inf, math.inf))
        children = [child for child in nodes[number].children if child in exact]
        for child in children:
            windows[child] = low, high
            low, high = (
                (max(low, exact[child]), high) if board.turn else (low, min(high, exact[child]))
            )
        if children and low < high and len(children) < board.legal_moves.count():
            line = root.variation_san(board.move_stack) if board.move_stack else "the root"
            last = nodes[children[-1]].move
            assert last is not None
            values = [exact[child] * (1 if board.turn else -1) for child in children]
            text = (
                f"in {one.question.fen}, depth {one.question.depth}, at {line}, it stops after "
                f"{board.san(last)}, with {len(children)} of {board.legal_moves.count()} moves made"
            )
            return Cut(text, values[-1] == max(values))
    return None


def small_infinity(examiner: Examiner, question: Question) -> Cause | None:
    """See whether a mate is outside the window that the root begins with."""
    answer = examiner.subject.last_of([question], "values")
    expected = abs(examiner.truth.answer(question).score)
    if answer.trace is None or answer.score is None:
        return None
    windows = [call.window for call in answer.trace.nodes[0].calls if call.window is not None]
    if not windows or not windows[0][1] == -windows[0][0] < expected:
        return None
    infinity = windows[0][1]
    shown = []
    for one in probes()[:8]:
        got = examiner.watched(one).score
        if abs(examiner.truth.answer(one).score) > infinity and got is not None:
            shown.append(abs(got) == infinity)
    if len(shown) < ENOUGH or not all(shown):
        return None
    text = (
        f"Infinity is {infinity:,}, which is less than a mate: the window of the root ends there. "
        f"Tested: the first search of the root has this window, and {len(shown)} of {len(shown)} "
        f"mates are worth {infinity:,}."
    )
    return Cause("mate", text)
