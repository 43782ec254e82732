"""One game: clocks, faults of players, adjudication, claims, and what is written down."""

import threading
from asyncio import CancelledError
from types import SimpleNamespace
from typing import Any

import chess
import pytest
from chess.engine import Limit, Mate, PlayResult, PovScore

from betacut.games.clock import Clock
from betacut.games.limits import check_game_limit, in_words, limit_text
from betacut.games.match import Adjudication, GameRecord, MoveRecord, play_game, time_limit
from betacut.games.match.game import Rules
from games.support import games_in, pushed
from support.players import (
    Answering,
    Crashing,
    Player,
    Resigning,
    Scoring,
    Searching,
    Seeded,
    Sleeping,
)

LONG = Adjudication(max_moves=30)


class Telling(Player):
    """Tells this with its moves."""

    def __init__(self, told: Any) -> None:  # noqa: ANN401
        super().__init__()
        self.told = told

    def info(self, board: chess.Board) -> Any:  # noqa: ANN401
        return self.told


class Line(Player):
    """Plays these moves, and says what it is told to."""

    def __init__(self, *moves: str, **answers: Any) -> None:  # noqa: ANN401
        super().__init__()
        self.line = iter(moves)
        self.answers = answers

    def choose(self, board: chess.Board, limit: Limit | None = None) -> PlayResult:
        return PlayResult(chess.Move.from_uci(next(self.line)), None, **self.answers)


def to_and_fro(**answers: bool) -> tuple[Line, Line]:
    return Line(*["g1f3", "f3g1"] * 10, **answers), Line(*["g8f6", "f6g8"] * 10, **answers)


@pytest.mark.parametrize(
    ("players", "board", "result", "reason", "moves"),
    [
        ((Line("f2f3", "g2g4"), Line("e7e5", "d8h4")), None, "0-1", "checkmate", 4),
        ((Player(), Player()), "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "1/2-1/2", "stalemate", 0),
        ((Player(), Player()), "8/8/4k3/8/8/3K4/8/R7 w - - 98 90", "1/2-1/2", "fifty moves", 2),
        (to_and_fro(), None, "1/2-1/2", "threefold repetition", 8),
        # The opening counts.
        (to_and_fro(), pushed("g1f3 g8f6 f3g1 f6g8"), "1/2-1/2", "threefold repetition", 4),
        ((Resigning(), Player()), None, "0-1", "White resigned", 0),
        (to_and_fro(draw_offered=True), None, "1/2-1/2", "draw by agreement", 2),
    ],
)
def test_ends(players: Any, board: Any, result: str, reason: str, moves: int) -> None:  # noqa: ANN401
    game = play_game(*players, board=board or chess.STARTING_FEN)
    assert (game.result, game.reason, len(game.moves)) == (result, reason, moves)
    assert game.termination == "normal"
    assert game.points(chess.BLACK) == {"0-1": 1, "1/2-1/2": 0.5}[result]


def test_a_game_begins_with_its_opening() -> None:
    game = play_game(*to_and_fro(), board=pushed("g1f3 g8f6 f3g1 f6g8"))
    assert [move.uci() for move in game.opening] == ["g1f3", "g8f6", "f3g1", "f6g8"]
    assert [one.move.uci() for one in game.moves] == ["g1f3", "g8f6", "f3g1", "f6g8"]


def test_one_offer_is_no_agreement() -> None:
    white = Line("f2f3", "g2g4", draw_offered=True)
    assert play_game(white, Line("e7e5", "d8h4")).reason == "checkmate"


@pytest.mark.parametrize("after", [0, 3])
def test_a_crash_loses(after: int) -> None:
    game = play_game(Seeded(), Crashing(after))
    assert (game.result, game.termination) == ("1-0", "abandoned")
    assert game.reason == "Black crashed: LookupError: no idea {of} a \\move"
    assert len(game.moves) == 2 * after + 1
    (read,) = games_in(game.pgn())
    assert len(list(read.mainline_moves())) == len(game.moves)
    assert "no idea (of) a /move" in read.end().comment


class Ending(Player):
    """Ends more than its game."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error

    def choose(self, board: chess.Board, limit: Limit | None = None) -> PlayResult:
        raise self.error


@pytest.mark.parametrize("limit", [None, Limit(time=60)])
def test_a_player_does_not_end_the_match(limit: Limit | None) -> None:
    """However it fails; Ctrl-C does."""
    for error, said in (
        (SystemExit(3), "SystemExit: 3"),
        (CancelledError("x"), "CancelledError: x"),
    ):
        game = play_game(Ending(error), Player(), limit=limit)
        assert (game.result, game.termination) == ("0-1", "abandoned")
        assert game.reason == f"White crashed: {said}"
    with pytest.raises(KeyboardInterrupt):
        play_game(Ending(KeyboardInterrupt()), Player(), limit=limit)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (PlayResult(chess.Move.from_uci("e2e5"), None), "e2e5"),
        (PlayResult(None, None), "None"),
        (PlayResult(chess.Move.null(), None), "0000"),
        (chess.Move.from_uci("e2e4"), "Move"),
        (None, "NoneType None"),
        ("e2e4", "str 'e2e4'"),
    ],
)
def test_an_illegal_move_loses(answer: object, said: str) -> None:
    game = play_game(Answering(answer), Player())
    assert (game.result, game.termination) == ("0-1", "rules infraction")
    assert game.reason.startswith("White made an illegal move: ")
    assert said in game.reason


def test_the_board_is_a_players_own() -> None:
    class Vandal(Seeded):
        def choose(self, board: chess.Board, limit: Limit | None = None) -> PlayResult:
            result = super().choose(board.copy(), limit)
            board.clear()
            return result

    game = play_game(Vandal(1), Vandal(2), adjudication=LONG)
    assert len(game.moves) == 60
    board = chess.Board()
    for one in game.moves:
        assert board.is_legal(one.move)
        board.push(one.move)


def test_what_a_player_tells_may_be_anything() -> None:
    lies = {"score": "good", "depth": "deep", "nodes": -1}
    game = play_game(Telling(lies), Telling(None), adjudication=Adjudication(max_moves=2))
    assert {(one.score, one.depth, one.nodes) for one in game.moves} == {(None, None, None)}


def test_time_forfeit() -> None:
    game = play_game(Sleeping(5), Player(), limit=time_limit("50ms"), margin=0.01)
    assert (game.result, game.termination) == ("0-1", "time forfeit")
    assert (game.reason, game.moves) == ("White lost on time", ())


def test_a_move_that_takes_too_long() -> None:
    # White has time enough on any machine.
    game = play_game(Player(), Sleeping(60), limit=Limit(time=1.5), margin=0.5)
    assert (game.result, game.reason) == ("1-0", "Black lost on time")


def test_the_margin() -> None:
    once, limit = Adjudication(max_moves=1), Limit(time=0.01)
    game = play_game(Sleeping(0.05), Player(), limit=limit, margin=30, adjudication=once)
    assert game.termination == "adjudication"
    assert game.moves[0].seconds >= 0.05


def test_players_that_think_for_ever_are_left_behind() -> None:
    waiting = threading.Event()

    class Stuck(Player):
        def choose(self, board: chess.Board, limit: Limit | None = None) -> PlayResult:
            waiting.wait(60)
            return super().choose(board, limit)

        def close(self) -> None:
            waiting.set()

    game = play_game(Stuck(), Player(), limit=Limit(time=0.05), margin=0)
    assert game.termination == "time forfeit"
    assert waiting.wait(30)  # it was closed


def test_the_clock_in_numbers() -> None:
    clock = Clock.of(time_limit("3/10+0.5"))
    rules = Rules(time_limit("3/10+0.5"), Adjudication(), margin=1)
    assert rules.allowed(clock, chess.WHITE) == 11
    # 10 - 2 + 0.5 and so on; the third move brings ten seconds more.
    assert [clock.spend(chess.WHITE, 2.0) for _ in range(4)] == [8.5, 7.0, 15.5, 14.0]
    limit = clock.limit(chess.WHITE)
    assert (limit.white_clock, limit.black_clock, limit.remaining_moves) == (14.0, 10, 2)
    assert clock.limit(chess.BLACK).remaining_moves == 3
    # What the margin allows is not owed.
    assert clock.spend(chess.BLACK, 10.7) == 0.5


def test_odds() -> None:
    limit = check_game_limit(Limit(white_clock=10, black_clock=1, black_inc=2, nodes=5))
    clock = Clock.of(limit)
    assert clock.times() == (10, 1)
    assert clock.spend(chess.BLACK, 1) == 2
    assert limit_text(limit) == "10+0 against 1+2, 5 nodes"
    assert in_words(limit_text(limit)) == "10 s against 1 s + 2 s, 5 nodes"


def test_players_are_told_their_clocks() -> None:
    white, black = Seeded(1), Seeded(2)
    limit = time_limit("40/60+1")
    game = play_game(white, black, limit=limit, adjudication=Adjudication(max_moves=3))
    told = [one for one in white.limits + black.limits if one is not None]
    assert [(one.white_inc, one.black_inc) for one in told] == [(1, 1)] * 6
    assert [one.remaining_moves for one in told[:3]] == [40, 39, 38]
    clocks = [one.clock for one in game.moves]
    assert all(clock is not None and 0 < clock <= 63 for clock in clocks)
    assert told[1].white_clock == clocks[0]


def test_no_limit_is_none() -> None:
    white, black = Seeded(1), Seeded(2)
    play_game(white, black, adjudication=Adjudication(max_moves=2))
    assert white.limits == [None, None]
    play_game(white, black, limit=Limit(depth=3), adjudication=Adjudication(max_moves=1))
    assert black.limits[-1] == Limit(depth=3)


def test_limits_that_differ_have_texts_that_differ() -> None:
    """Whether a match may go on with a file is told by them; those of old files stay."""
    given = ("60s+1s", "5s+0.1s", "40/60+0.6", "90+30", "0+1")
    texts = [limit_text(time_limit(text)) for text in given]
    assert texts == ["60+1", "5+0.1", "40/60+0.6", "5400+30", "0+1"]
    clocks = (1234567.0, 1234568.0, 100000.25, 1e-6)
    texts = [limit_text(Limit(white_clock=clock, black_clock=clock)) for clock in clocks]
    assert texts == ["1234567+0", "1234568+0", "100000.25+0", "0.000001+0"]


def test_resignation_needs_both_players() -> None:
    rule = Adjudication(resign_score=500, resign_moves=2, max_moves=3)
    game = play_game(Scoring(600), Scoring(700), adjudication=rule, board=chess.Board())
    assert (game.result, game.termination, len(game.moves)) == ("1-0", "adjudication", 4)
    assert game.reason == "both players see 500 centipawns or more"
    game = play_game(Scoring(-600), Scoring(-500), adjudication=rule)
    assert (game.result, len(game.moves)) == ("0-1", 4)
    for other in (499, None, -600):
        game = play_game(Scoring(600), Scoring(other), adjudication=rule)
        assert game.reason == "3 moves are played"


def test_draws_by_scores() -> None:
    rule = Adjudication(draw_score=10, draw_moves=2, draw_after=5)
    game = play_game(Scoring(10), Scoring(-10), adjudication=rule)
    assert (game.result, len(game.moves)) == ("1/2-1/2", 10)
    assert game.reason == "both players see 10 centipawns or less"
    rule = Adjudication(draw_score=10, draw_moves=2, draw_after=0, max_moves=6)
    game = play_game(Scoring(11), Scoring(0), adjudication=rule)
    assert game.reason == "6 moves are played"


def test_a_mate_is_more_than_any_score() -> None:
    mate = {"score": PovScore(Mate(3), chess.WHITE)}
    rule = Adjudication(resign_score=30_000, resign_moves=1)
    assert play_game(Telling(mate), Telling(mate), adjudication=rule).result == "1-0"


@pytest.mark.parametrize(
    ("wdl", "result"), [(2, "1-0"), (1, "1/2-1/2"), (0, "1/2-1/2"), (-1, "1/2-1/2"), (-2, "0-1")]
)
def test_tablebases(wdl: int, result: str) -> None:
    """They know positions without pawns: the side with a rook wins, or has this other result."""
    asked = []

    def get_wdl(board: chess.Board) -> int | None:
        asked.append(board.fen())
        return None if board.pawns else wdl if board.turn else -wdl

    tables: Any = SimpleNamespace(get_wdl=get_wdl)
    rule, fen = Adjudication(tablebase=tables), "8/8/3k4/4p3/8/8/8/R3K3 w - - 0 1"
    game = play_game(Line("a1a5", "a5e5"), Line("d6c6"), board=fen, adjudication=rule)
    assert (game.result, game.termination) == (result, "adjudication")
    # Only where nothing has to be known of the moves before.
    assert all(fen.split()[4] == "0" for fen in asked)
    assert len(asked) == 2


@pytest.fixture(scope="module")
def timed_game() -> GameRecord:
    return play_game(
        Searching(2),
        Searching(1),
        board="r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        limit=time_limit("60+1"),
        adjudication=Adjudication(max_moves=5),
        tags={"Round": "7", "Event": "two\nlines", "Odd": 'a "tag"'},
    )


def test_pgn_has_everything(timed_game: GameRecord) -> None:
    game = timed_game
    (read,) = games_in(game.pgn())
    assert list(read.mainline_moves()) == [one.move for one in game.moves]
    assert read.headers["Result"] == game.result == "1/2-1/2"
    assert read.headers["Termination"] == "adjudication"
    assert read.headers["Round"] == "7"
    assert read.headers["Event"] == "two lines"
    assert read.headers["Odd"] == "a 'tag'"
    assert read.headers["WhiteSpeed"].endswith(" nodes/s")
    for node, one in zip(read.mainline(), game.moves, strict=True):
        assert one.score is not None
        assert one.clock is not None
        assert node.eval() == one.score
        assert node.eval_depth() == one.depth
        assert node.clock() == pytest.approx(one.clock, abs=1e-3)
        assert node.emt() == pytest.approx(one.seconds, abs=1e-3)
        assert f"[%nodes {one.nodes}]" in node.comment
        assert f"[%cpu {one.cpu:.6f}]" in node.comment
    assert read.end().comment.endswith("5 moves are played")
    assert game.pgn().split()[-1] == "1/2-1/2"
    assert game.pgn().endswith("2\n\n")
    assert game.pgn().count("\n\n") == 2


def test_names_that_no_tag_has_are_refused() -> None:
    with pytest.raises(ValueError, match="such as MyTag, not 'My Tag'"):
        play_game(Player(), Player(), tags={"My Tag": "x"})


def test_speeds() -> None:
    move = chess.Move.null()
    figures = [(1.0, 100, 0.5), (2.0, None, None), (1.0, 300, 1.0)]
    moves = tuple(MoveRecord(move, one, nodes=nodes, cpu=cpu) for one, nodes, cpu in figures)
    opening = (chess.Move.from_uci("e2e4"),)
    game = GameRecord("a", "b", "1-0", "checkmate", "normal", chess.STARTING_FEN, opening, moves)
    # Black is the first to move.
    assert game.speed(chess.BLACK) == 200
    assert game.cpu(chess.BLACK) == 0.75
    assert game.speed(chess.WHITE) is None
    assert game.cpu(chess.WHITE) is None


def test_as_plain_data(timed_game: GameRecord) -> None:
    data, first = timed_game.to_dict(), timed_game.moves[0]
    assert first.score is not None
    assert data["moves"][0]["move"] == first.move.uci()
    assert data["moves"][0]["score"] == first.score.white().score()
    assert (data["result"], data["fen"]) == (timed_game.result, timed_game.fen)


def test_games_are_the_same_every_time() -> None:
    first, second = (play_game(Seeded(1), Searching(1)) for _ in range(2))
    assert [one.move for one in first.moves] == [one.move for one in second.moves]
    assert first.reason == second.reason
