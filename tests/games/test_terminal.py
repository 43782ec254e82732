"""`betacut play`: the clock, the game, the terminal, the files."""

import gzip
import os
import re
import sys
from functools import partial
from pathlib import Path
from typing import Any

import chess
import pytest
from chess.engine import Cp, Limit, PlayResult, PovScore

from betacut.games.terminal import (
    Clock,
    Game,
    Screen,
    TerminalGame,
    load_game,
    play,
    save_game,
    to_pgn,
)
from betacut.games.terminal.screen import COMMANDS
from betacut.views.terminal import BOARD_WIDTH, board_lines
from games.support import games_in, pushed, run, written
from support.players import Answering

MATE_IN_1 = "k7/8/1K6/8/8/8/8/7R w - - 0 1"


class _Scripted:
    """A player that plays given moves, with given scores."""

    name = "scripted"

    def __init__(self, *moves: str, score: int | None = 0, **options: bool) -> None:
        self.moves = list(moves)
        self.score = score
        self.options = options
        self.limits: list[Limit | None] = []
        self.stacks: list[int] = []

    def choose(self, board: chess.Board, limit: Limit | None = None) -> PlayResult:
        self.limits.append(limit)
        self.stacks.append(len(board.move_stack))
        move = board.parse_san(self.moves.pop(0)) if self.moves else next(iter(board.legal_moves))
        info: Any = {}
        if self.score is not None:
            info = {"score": PovScore(Cp(self.score), board.turn), "depth": 3}
        return PlayResult(move, None, info, **self.options)


class _Typist:
    """Types lines, and keeps what is shown."""

    def __init__(self, *lines: str, width: int = 80, **options: bool) -> None:
        self.lines = iter(lines)
        self.shown: list[str] = []
        write = self.shown.append
        self.screen = Screen(read=self.read, write=write, width=lambda: width, **options)

    def read(self, prompt: str) -> str:
        line = next(self.lines, None)
        if line is None:
            raise EOFError
        if line == "^C":
            raise KeyboardInterrupt
        return line

    @property
    def text(self) -> str:
        return "\n".join(self.shown)

    @property
    def words(self) -> str:
        """The text as one line."""
        return " ".join(self.text.split())


def made(*lines: str, player: Any = None, **options: Any) -> tuple[_Typist, Game, int]:  # noqa: ANN401
    """Play a game with these lines; a board, a colour and a clock may be given."""
    screen = {name: options.pop(name) for name in ("width", "pieces") if name in options}
    typist = _Typist(*lines, interactive=options.pop("interactive", False), **screen)
    place = options.pop("place", None)
    game = Game(player or _Scripted(), name="scripted", **options)
    status = TerminalGame(game, typist.screen, place=place, hints="search,depth=4").run()
    return typist, game, status


def played(
    against: str | None,
    *lines: str,
    status: int = 0,
    interactive: bool = False,
    hints: str = "search",
    **options: Any,  # noqa: ANN401 - those of `play`
) -> _Typist:
    """Type these lines in `play`, which ends with this status."""
    typist = _Typist(*lines, interactive=interactive)
    assert play(against, hints=hints, screen=typist.screen, **options) == status
    return typist


class _Hands:
    """The time, which a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now

    def play(self, game: Game, seconds: float, *moves: str) -> None:
        """Make these moves, each after so long, and let the opponent answer them."""
        for move in moves:
            game.start_clock()
            self.now += seconds
            game.play(chess.Move.from_uci(move))
            game.reply()


@pytest.fixture
def hands() -> _Hands:
    return _Hands()


def test_clock(hands: _Hands) -> None:
    clock = Clock(60, 2, now=hands)
    clock.start(chess.WHITE)
    hands.now = 10
    assert clock.times() == (50, 60)
    clock.press()
    clock.start(chess.BLACK)
    hands.now = 75
    assert clock.times() == (52, -5)
    assert (clock.text(chess.WHITE), clock.text(chess.BLACK)) == ("0:52", "0:00.0")
    clock.press()  # a flag that has fallen gets no increment
    assert clock.left(chess.BLACK) == -5
    hands.now = 1000
    assert clock.times() == (52, -5)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.04, "0:00.0"), (9.37, "0:09.3"), (10, "0:10"), (59.2, "1:00"), (3600, "1:00:00")],
)
def test_times_as_text(seconds: float, text: str) -> None:
    assert Clock(seconds).text(chess.WHITE) == text


@pytest.mark.parametrize(
    ("fen", "move", "end"),
    [
        (MATE_IN_1, "Rh8#", "White wins: checkmate."),
        ("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "Qg6", "Draw: stalemate."),
        ("8/8/8/8/8/1k6/8/Kq6 w - - 0 1", "Kxb1", "Draw: neither side has enough to mate with."),
        ("k7/8/8/8/8/8/8/K6R w - - 99 80", "Rh2", "Draw: fifty moves without a capture"),
    ],
)
def test_ends(fen: str, move: str, end: str) -> None:
    typist, game, status = made(move, board=chess.Board(fen))
    assert end in typist.text
    assert status == 0
    assert game.end
    assert to_pgn(game).headers["Result"] == game.end.result


def test_a_third_repetition_ends_the_game() -> None:
    lines = ("Ng1", "Nf3", "Ng1", "Nf3", "e4")
    typist, game, _ = made(*lines, player=_Scripted(*["Ng8", "Nf6"] * 4), board=pushed("Nf3 Nf6"))
    assert "Draw: the position has occurred three times." in typist.text
    assert len(game.board.move_stack) < 10


@pytest.mark.parametrize("offers_draw", [False, True])
def test_flags(hands: _Hands, offers_draw: bool) -> None:
    """Neither a move counts after the flag has fallen nor the offer of a draw."""
    game = Game(_Scripted("e5"), name="x", clock=Clock(60, now=hands))
    game.play(chess.Move.from_uci("e2e4"))  # the first move takes no time
    game.reply()
    game.start_clock()
    hands.now = 61
    if offers_draw:
        assert game.offer_draw() == "the game is over"
    else:
        game.play(chess.Move.from_uci("g1f3"))
    assert str(game.end) == "Black wins: White's time is over."
    assert len(game.board.move_stack) == 2


def test_a_flag_falls_but_neither_side_can_mate(hands: _Hands) -> None:
    board = pushed("Qh2 Kc4", fen="8/8/8/8/8/1k6/8/K6Q w - - 0 1")
    game = Game(_Scripted(), name="x", clock=Clock(60, now=hands), board=board)
    game.start_clock()
    hands.now = 60
    assert str(game.flag()) == "Draw: White's time is over, but the other side cannot mate."


def test_undo_takes_back_a_whole_move_and_its_time(hands: _Hands) -> None:
    game = Game(_Scripted("e5", "Nc6"), name="x", clock=Clock(60, 1, now=hands))
    hands.play(game, 5, "e2e4", "g1f3")
    assert game.clock is not None
    # The first move takes no time, and gets no increment; the others do.
    assert game.clock.times() == (56, 62)
    assert game.undo() == 2
    assert game.clock.times() == (60, 61)
    assert [move.uci() for move in game.board.move_stack] == ["e2e4", "e7e5"]
    assert game.undo() == 2
    assert game.clock.times() == (60, 60)
    assert game.undo() == 0
    black = Game(_Scripted("e4"), name="x", color=chess.BLACK)
    black.reply()
    assert black.undo() == 0


def test_undo_after_the_end() -> None:
    typist, game, _ = made("Rh8", "undo", "Rh7", board=chess.Board(MATE_IN_1))
    assert game.end is None
    assert game.board.move_stack[0].uci() == "h1h7"
    assert typist.text.count("checkmate") == 1
    _, game, _ = made("e4", "resign", "undo")
    assert game.end is None


@pytest.mark.parametrize(
    ("score", "said"),
    [
        (0, "Draw: agreed."),
        (-30, "Draw: agreed."),
        (1, "No draw: it thinks that it stands better."),
    ],
)
def test_draw_offers(score: int, said: str) -> None:
    typist, _, _ = made("e4", "draw", player=_Scripted("e5", score=score))
    assert said in typist.text


def test_draw_offers_that_no_player_can_judge() -> None:
    typist, game, _ = made("draw", "e4", "draw", player=_Scripted("e5", score=None))
    assert typist.text.count("No draw: it has given no score yet.") == 2
    assert game.end is None


def test_the_player_offers_a_draw_or_resigns() -> None:
    typist, game, _ = made("e4", "draw", player=_Scripted("e5", score=500, draw_offered=True))
    assert "scripted offers a draw" in typist.text
    assert str(game.end) == "Draw: agreed."
    _, game, _ = made("e4", player=_Scripted("e5", score=500, resigned=True))
    assert str(game.end) == "White wins: scripted resigns."
    _, game, _ = made("resign", color=chess.BLACK)
    assert str(game.end) == "White wins: Black resigns."


def test_an_adviser_that_fails_ends_no_game(tmp_path: Path) -> None:
    hints = f"book:{written(tmp_path / 'none.bin', bytes(16))}"
    typist = played("search,depth=1", "hint", "e4", "eval", "board", hints=hints)
    assert typist.text.count("No advice:") == 2
    assert "has no move in" in typist.words


def test_what_the_player_is_told() -> None:
    """The whole game, and the clocks if there are any, or else the limit."""
    player = _Scripted("e5", "Nc6")
    made("e4", "Nf3", player=player, clock=Clock(300, 3))
    assert player.stacks == [1, 3]
    limit = player.limits[1]
    assert limit is not None
    assert limit.white_inc == limit.black_inc == 3
    assert 299 < (limit.white_clock or 0) <= 303
    for limit in (Limit(depth=2), None):
        player = _Scripted("e5")
        made("e4", player=player, limit=limit)
        assert player.limits == [limit]


@pytest.mark.parametrize("move", [None, chess.Move.from_uci("e2e4"), chess.Move.null()])
def test_a_player_that_fails(
    move: chess.Move | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    typist, _, status = made("e4", player=Answering(PlayResult(move, None)), interactive=True)
    assert status == 1
    assert "scripted failed: scripted has" in typist.text
    assert len(load_game(tmp_path / "betacut-game.pgn").board.move_stack) == 1


def test_commands() -> None:
    typed = "help,moves,hint,eval,pgn,fen,board,flip,?,,  ,Nf9,new gray,save,load,load none.pgn"
    typist, game, _ = made(*typed.split(","), "quit", "quit")
    for name in COMMANDS:
        assert re.search(rf"^{name} ", typist.text, flags=re.MULTILINE)
    assert "20 legal moves: Na3 Nc3" in typist.text
    assert re.search(r"^Try \w+ \([+-]\d\.\d\d for you\)\.$", typist.text, flags=re.MULTILINE)
    assert re.search(r"^[+-]\d\.\d\d for you at depth \d+: 1\. \w+", typist.text, re.MULTILINE)
    assert chess.STARTING_FEN in typist.text
    assert '[White "Human"]' in typist.text
    assert "cannot read 'Nf9': did you mean Nf3?" in typist.text
    assert "not new gray" in typist.text
    assert "Cannot load: cannot read 'none.pgn': No such file or" in typist.text
    assert game.board.move_stack == []


def test_hint_and_value_of_a_mate() -> None:
    typist, _, _ = made("hint", "eval", "Rh8", "hint", "eval", board=chess.Board(MATE_IN_1))
    assert "Try Rh8# (you mate in 1)." in typist.text
    assert typist.text.count("the game is over") == 1
    mated_in_1 = chess.Board("k7/8/1K6/8/8/8/8/6R1 b - - 0 1")
    typist, _, _ = made("eval", board=mated_in_1, color=chess.BLACK)
    assert "you are mated in 1" in typist.text


def test_new_games(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    player = _Scripted("e5", "d4", "Nf3", "c4")
    typist, _, _ = made("e4", "new black", "e5", "new", player=player, place=path)
    assert typist.text.count("You play Black") == 2
    first, second = (load_game(path, number) for number in (1, 2))
    assert [move.uci() for move in first.board.move_stack] == ["e2e4", "e7e5"]
    assert second.board.move_stack[0].uci() == "d2d4"


def test_the_board_is_drawn_from_the_persons_side_and_turned_round() -> None:
    white, _, _ = made("flip", pieces=False)
    boards = [one for one in white.shown if "a  b  c" in one or "h  g  f" in one]
    assert boards[0].splitlines()[1].startswith("8  r  n  b")
    assert boards[1].splitlines()[1].startswith("1  R  N  B  K")
    black, _, _ = made(color=chess.BLACK, pieces=False)
    assert black.shown[1].splitlines()[1].startswith("1  R  N  B  K")


@pytest.mark.sampled(2, every=["width", "color"])
@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("color", chess.COLORS)
def test_nothing_is_wider_than_the_terminal(width: int, color: chess.Color) -> None:
    lines = ["e5", "Nc6", "hint", "eval", "moves", "help", "xyz", "Qh4", "resign", "fen"]
    typist, _, _ = made(*lines, width=width, color=color, clock=Clock(5400, 30))
    shown = [line for text in typist.shown for line in text.splitlines() if "/" not in line]
    assert max(map(len, shown)) <= width
    assert any("1:30:00" in line for line in shown)
    beside = [line for line in shown if line.startswith("8 ") and len(line) > BOARD_WIDTH]
    assert bool(beside) == (width >= 80)


def test_last_move_and_check_are_marked_with_and_without_colours() -> None:
    board = pushed("e4 f6 d4 g5 Qh5#")
    plain = board_lines(board, last_move=board.peek(), pieces=False)
    assert "!k!" in plain[0]
    assert plain[3].endswith("[Q]  ")
    assert "[.]" in plain[7]
    assert all("\x1b" not in line for line in plain)
    coloured = board_lines(board, last_move=board.peek(), colour=True)
    bare = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in coloured]
    assert "!♚!" in bare[0]
    assert "[♛]" in bare[3]
    assert [len(line) for line in bare] == [len(line) for line in plain]
    grounds = [set(re.findall(r"48;5;(\d+)", line)) for line in coloured[:8]]
    assert len(set.union(*grounds)) == 4  # both squares of the last move are light


def test_saved_and_loaded(tmp_path: Path, hands: _Hands) -> None:
    path = tmp_path / "game.pgn"
    clock = Clock(300, 3, now=hands)
    name = r'uci:\\server\"sf".exe'
    game = Game(_Scripted("e5", "Nc6", score=-25), name=name, clock=clock)
    hands.play(game, 7, "e2e4", "g1f3")
    place = save_game(game, path)
    assert (place.path, place.number) == (path, 1)
    assert place.text == path.read_bytes()
    saved = load_game(path)
    assert saved.board.fen() == game.board.fen()
    assert saved.board.move_stack == game.board.move_stack
    assert (saved.color, saved.against, saved.limit) == (chess.WHITE, name, None)
    assert saved.clock is not None
    assert saved.clock.times() == clock.times()
    assert (saved.clock.seconds, saved.clock.increment) == (300, 3)
    assert [ply.score for ply in saved.plies] == [ply.score for ply in game.plies]
    assert saved.result == "*"


def test_other_games_of_the_file_stay(tmp_path: Path) -> None:
    others = '[Event "one"]\n\n1. d4 d5 *\n\n[Event "zwei \xfc"]\n\n1. c4 { ; } c5 1-0\n'
    path = written(tmp_path / "games.pgn", others)
    game = Game(_Scripted("e5"), name="x")
    game.play(chess.Move.from_uci("e2e4"))
    place = save_game(game, path)
    assert place.number == 3
    path.write_text(path.read_text(encoding="utf-8") + '[Event "four"]\n\n1. f4 *\n', "utf-8")
    game.reply()
    assert save_game(game, place) == place
    assert path.read_text(encoding="utf-8").startswith(others)
    games = games_in(path)
    assert [one.headers["Event"] for one in games] == ["one", "zwei \xfc", "betacut play", "four"]
    assert [move.uci() for move in games[2].mainline_moves()] == ["e2e4", "e7e5"]
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_has_lost_games(tmp_path: Path) -> None:
    path = written(tmp_path / "games.pgn", "1. d4 *\n\n1. c4 *\n\n1. f4 *\n")
    game = Game(_Scripted(), name="x")
    place = save_game(game, path)
    assert place.number == 4
    kept = "1. f4 *\n\n"
    path.write_text(kept + place.text.decode() + "1. c4 *\n", "utf-8")
    place = save_game(game, place)
    assert place.number == 2
    path.write_text(kept + "1. b3 *\n", "utf-8")  # another game has its number
    assert save_game(game, place).number == 3
    assert path.read_text("utf-8").startswith(kept + "1. b3 *\n")
    assert len(games_in(path)) == 3


def test_a_game_is_saved_once(tmp_path: Path) -> None:
    save = f"save {tmp_path}/one.pgn"
    typist, _, _ = made("e4", save, save, player=_Scripted("e5"))
    assert typist.words.count("Saved as game 1 of") == 2
    assert len(games_in(tmp_path / "one.pgn")) == 1


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no symbolic links")
def test_a_link_stays_one(tmp_path: Path) -> None:
    path, link = tmp_path / "games.pgn", tmp_path / "link.pgn"
    link.symlink_to(path)
    assert save_game(Game(_Scripted(), name="x"), link).path == link
    assert link.is_symlink()
    assert len(games_in(path)) == 1


def test_compressed_files_are_not_written(tmp_path: Path) -> None:
    before = gzip.compress(b'[BetacutColor "white"]\n\n1. e4 e5 *\n\n1. d4 *\n')
    path = written(tmp_path / "games.pgn.gz", before)
    assert load_game(path, 1).place is None
    typist = played("search,depth=1", "Nf3", f"save {path}", load=path, game=1)
    assert "is compressed: games are saved as plain PGN" in typist.words
    with pytest.raises(ValueError, match="is compressed"):
        play("search,depth=1", save=path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there is no game in"),
        ("1. e4 e4 *", "game 1 of .* is broken: 1... e4 is not legal; it is read up to 1. e4"),
        ('[Variant "Atomic"]\n\n1. e4 *', "another|variant|standard"),
        ('[FEN "8/8/8/8/8/8/8/k7 w - - 0 1"]\n[SetUp "1"]\n\n*', "NO_WHITE_KING"),
        *(
            (
                f'[BetacutColor "white"]\n[{tag} "{value}"]\n\n*',
                f"{tag} '{re.escape(value)}': limit",
            )
            for tag, values in (
                ("TimeControl", ("300+inf", "300+nan", "300+-9", "inf+3", "-1+0", "0+0")),
                ("BetacutLimit", ("depth=-3", "nodes=0", "time=-1", "time=nan", "time=inf")),
            )
            for value in values
        ),
    ],
)
def test_files_that_cannot_be_loaded(tmp_path: Path, text: str, said: str) -> None:
    path = written(tmp_path / "game.pgn", text)
    with pytest.raises(ValueError, match=said):
        load_game(path)
    with pytest.raises(ValueError, match=r"game must be 1 to 2, as many as .* has, not 3"):
        load_game(written(path, "1. e4 *\n\n1. d4 *\n"), 3)


def test_a_game_that_is_left_can_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    limit = Limit(depth=2)
    left = played("search,depth=1", "e4", "^C", status=130, interactive=True, limit=limit)
    assert "Saved. Go on with: betacut play --load betacut-game.pgn" in left.text
    before = load_game(tmp_path / "betacut-game.pgn")
    assert before.limit == limit
    again = played(None, "d4", "quit", interactive=True, load="betacut-game.pgn")
    assert "You play White against search,depth=1." in again.words
    after = load_game(tmp_path / "betacut-game.pgn")
    assert after.place is not None
    assert after.place.number == 1
    assert after.board.move_stack[:2] == before.board.move_stack
    assert len(after.board.move_stack) == 4


OWN = """[Event "Club evening"]
[Site "Home"]
[Date "2025.01.02"]
[Round "?"]
[White "Alice"]
[Black "random"]
[Result "*"]
[BetacutColor "white"]
[BetacutAgainst "random"]
[Annotator "Alice"]

{ Opening remark } 1. e4 $1 { my thought } 1... e5 ( 1... c5 2. Nf3 ) 2. d4 { no } *

"""


def test_what_a_saved_game_says_stays(tmp_path: Path) -> None:
    path = written(tmp_path / "own.pgn", OWN)
    said = ["{ Opening remark }", "$1 { my thought }", "( 1... c5 2. Nf3 )", "Annotator", "Alice"]
    said += ["Club evening", "2025.01.02"]
    for lines in (["quit"], ["undo", "Nf3", "quit"]):
        played(None, *lines, interactive=True, load=path)
        text = " ".join(path.read_text().split())
        assert all(one in text for one in said)
    assert "d4" not in text
    moves = load_game(path).board.move_stack
    assert [move.uci() for move in moves[:3]] == ["e2e4", "e7e5", "g1f3"]
    assert len(moves) == 4


@pytest.mark.parametrize("tag", ["", '[TimeControl "300+0"]\n'])
def test_the_clocks_of_a_saved_game_stay(tmp_path: Path, tag: str) -> None:
    """No reading is added to the moves of the file, whether or not the game has a clock."""
    moves = "1. e4 { [%clk 0:04:50] } 1... e5 2. Nf3 Nc6"
    path = written(tmp_path / "own.pgn", f'[BetacutColor "white"]\n{tag}\n{moves} *\n')
    clock = load_game(path).clock
    assert (clock and clock.times()) == ((290, 300) if tag else None)
    played("random", "Bb5", "quit", interactive=True, load=path)
    assert moves in " ".join(path.read_text().split())
    assert path.read_text().count("%clk") == (3 if tag else 1)


def test_what_a_loaded_game_says_stays_in_another_file(tmp_path: Path) -> None:
    """The games of others, too, which are not changed where they are."""
    said = ["{ Opening remark }", "$1 { my thought }", "( 1... c5 2. Nf3 )", "Annotator"]
    path, there = tmp_path / "own.pgn", tmp_path / "there.pgn"
    for text in (OWN, OWN.replace("Betacut", "X")):
        written(path, text)
        played("random", "save", load=path, save=there)
        played("random", f"load {path}", f"save {there}", "pgn", "quit")
    assert path.read_text() == text
    for game in games_in(there):
        assert all(one in " ".join(str(game).split()) for one in said)
    assert len(games_in(there)) == 4


def test_a_game_that_is_saved_where_it_was_loaded_goes_on_there(tmp_path: Path) -> None:
    path = written(tmp_path / "own.pgn", OWN)
    (tmp_path / "x").mkdir()
    other = tmp_path / "x" / ".." / "own.pgn"
    played("random", "Nf3", "save", load=path, save=other)
    typist = played("random", f"load {other}", f"save {path}", "quit")
    assert "Saved as game 1 of" in typist.words
    (game,) = games_in(path)
    assert len([*game.mainline_moves()]) >= 4
    assert game.headers["Annotator"] == "Alice"


def test_a_game_that_is_loaded_goes_on_against_its_opponent(tmp_path: Path) -> None:
    path = written(tmp_path / "own.pgn", OWN.replace('"random"', '"search,depth=1"', 2))
    assert "against search,depth=1" in played("random", f"load {path}", "quit").text
    assert load_game(path).against == "search,depth=1"
    # A file starts no program.
    written(path, OWN.replace('"random"', f'"uci:touch {tmp_path / "run"}"', 2))
    refused = played("random", f"load {path}", "quit").text
    assert "Cannot load: the opponent is the program" in refused
    with pytest.raises(ValueError, match="which a file does not start: name it with --against"):
        played(None, load=path)
    assert not (tmp_path / "run").exists()


def test_a_finished_game_that_is_loaded_stays(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    made("e4", "resign", player=_Scripted("e5"), place=path)
    before = path.read_bytes()
    assert b'[Result "0-1"]' in before
    for load, lines in ((path, ("d4", "quit")), (None, (f"load {path}", "d4", "quit"))):
        played("search,depth=1", *lines, load=load)
        assert path.read_bytes() == before


def test_nothing_is_saved_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the end of a pipe; and where there is no move yet."""
    monkeypatch.chdir(tmp_path)
    assert made("e4")[2] == 0
    assert made("quit", interactive=True)[2] == 0
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    typist, _, status = made("e4", f"save {tmp_path}", f"save {tmp_path}/none/x.pgn", "quit")
    assert typist.text.replace("\n", " ").count("Cannot save: ") == 2
    assert status == 0


def test_a_game_of_another_program_is_not_changed(tmp_path: Path) -> None:
    path = written(tmp_path / "theirs.pgn", "1. e4 e5 2. Nf3 *\n")
    typist = played("search,depth=1", "Nc6", load=path)
    assert "You play Black" in typist.text  # Black is to move
    assert path.read_text(encoding="utf-8") == "1. e4 e5 2. Nf3 *\n"


def test_a_clock_and_a_limit() -> None:
    with pytest.raises(ValueError, match="only one of time and limit"):
        play("search", time="5+3", limit=Limit(depth=1))


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    options = ("-asearch", "-d2", "--save", path, "--hints", "search", "--letters")
    result = run("play", *options, input=b"e4\nhint\nresign\n")
    assert result.exit_code == 0, result.output
    assert "8  r  n  b  q  k  b  n  r" in result.output
    assert "Black wins: White resigns." in result.output
    saved = load_game(path)
    assert (saved.result, saved.limit) == ("0-1", Limit(depth=2))
    assert len(saved.board.move_stack) == 2


@pytest.mark.parametrize("text", [b"", b"\n\n", b"e4"])
def test_the_end_of_the_input(text: bytes) -> None:
    result = run("play", "-a", "search", "-d1", "--hints", "search", input=text)
    assert (result.exit_code, result.exception) == (0, None)


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
@pytest.mark.parametrize("columns", [40, 80])
def test_a_game_in_a_terminal(tmp_path: Path, columns: int) -> None:
    """Moves, a mistake, Ctrl-C, and going on with the game."""
    pexpect = pytest.importorskip("pexpect")
    start = partial(
        pexpect.spawn,
        sys.executable,
        cwd=str(tmp_path),
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": "40"},
        dimensions=(40, columns),
        encoding="utf-8",
        timeout=60,
    )
    command = ["-m", "betacut", "play", "--hints=search"]
    child = start([*command, "-a", "search,depth=2", "--time", "5+3"])
    child.expect("move 1> ")
    assert "\x1b[48;5;" in child.before
    child.sendline("e4")
    child.expect("move 2> ")
    child.sendline("Ke3")
    for said in ("a king does not", "move 2> "):
        child.expect(said)
    child.sendintr()
    for said in ("Go on with", r"betacut-game\.pgn"):
        child.expect(said)
    assert child.wait() == 130
    again = start([*command, "--load", "betacut-game.pgn"])
    again.expect("move 2> ")
    again.sendline("d4")
    again.expect("move 3> ")
    again.sendeof()
    again.expect("Go on with")
    assert again.wait() == 0
    assert len(load_game(tmp_path / "betacut-game.pgn").board.move_stack) == 4
