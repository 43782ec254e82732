"""The Rust core of betacut. Use `betacut.engine`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import IO, Any, Final, Protocol, TypedDict, final, overload

import chess
import chess.engine
from typing_extensions import Self, disjoint_base

from betacut.core.arguments import BoardLike, Chooser, Trace
from betacut.results import CacheEntry, Statistics

__version__: str

@final
class Analysis:
    def __new__(
        cls,
        board: BoardLike,
        depth: int | None,
        threads: int,
        table: Table | None,
        best_moves: bool,
        nodes: int | None,
        time: float | None,
        root_moves: Iterable[chess.Move] | None,
        multipv: int | str | None,
        evaluation: CompiledEvaluation | None = None,
        /,
    ) -> Analysis: ...
    def step(self) -> Found | None: ...
    def stop(self) -> None: ...

@final
class Stream:
    def __new__(
        cls,
        boards: Iterable[BoardLike],
        depth: int | None,
        threads: int | None,
        table: Table | None,
        best_moves: bool,
        nodes: int | None,
        time: float | None,
        multipv: int | str | None,
        evaluation: CompiledEvaluation | None = None,
        /,
    ) -> Stream: ...
    def __iter__(self) -> Stream: ...
    def __next__(self) -> Found | Exception: ...
    def collect(self, all: list[Found | Exception]) -> None: ...
    handed_over: Final[int]
    last: Final[Found | Exception | None]
    def close(self) -> None: ...

@final
class TableSearch:
    def __new__(
        cls,
        depth: int | None,
        threads: int | None,
        table: Table | None,
        nodes: int | None,
        time: float | None,
        evaluation: CompiledEvaluation | None,
        with_best_moves: bool,
        with_line: bool,
        /,
    ) -> TableSearch: ...
    def texts(self, offsets: bytes, data: bytes, valid: bytes | None, first: int) -> None: ...
    def objects(self, objects: list[Any]) -> None: ...
    rows: Final[int]
    def take(self, names: Sequence[str]) -> list[tuple[bytes | None, list[bytes]]]: ...

@final
class CompiledEvaluation:
    def __new__(
        cls, name: str | None, phase: str, middlegame: list[list[int]], endgame: list[list[int]], /
    ) -> CompiledEvaluation: ...
    def with_quiescence(self) -> CompiledEvaluation: ...
    has_bounds: Final[bool]
    hash: Final[int]

@final
class Found:
    algorithm: Final[str]
    score: Final[int]
    depth: Final[int]
    complete: Final[bool]
    chess960: Final[bool]
    nodes: Final[int]
    move: Final[chess.Move | None]
    best_moves: Final[tuple[chess.Move, ...]]
    pv: Final[tuple[chess.Move, ...]]
    known_pv: Final[tuple[chess.Move, ...] | None]
    lines: Final[tuple[tuple[chess.Move, int], ...] | None]
    statistics: Final[Statistics]
    def set_complete(self, complete: bool) -> None: ...
    def draw(self, rng: Chooser, /) -> None: ...
    def fen(self) -> str: ...

@disjoint_base
class Table:
    def __new__(cls, mb: int, /) -> Self: ...
    @property
    def mb(self) -> int: ...
    @property
    def filled(self) -> float: ...
    def clear(self) -> None: ...

@final
class PgnReader:
    def __new__(
        cls,
        place: str | PathLike[str] | IO[bytes],
        compressed: bool,
        start: int,
        stop: int,
        before: int,
        every: int,
        skip: int,
        tags: Sequence[str],
        /,
    ) -> PgnReader: ...
    def read(
        self, rows: int
    ) -> tuple[int, list[tuple[bytes | None, bytes | None, bytes]]] | None: ...
    @staticmethod
    def of_text(text: bytes) -> PgnReader: ...
    def text(self) -> tuple[int, bytes, list[int]] | None: ...
    def game(
        self,
    ) -> tuple[int, int, bytes, list[tuple[str, str]], int, list[str], str | None, int] | None: ...
    def go_on(self, start: int, stop: int) -> bool: ...
    number: Final[int]

def text_pieces(
    place: str | PathLike[str] | IO[bytes],
    records: int,
    bytes: int,
    start: int,
    stop: int,
    before: int,
    separator: int | None,
    /,
) -> tuple[list[tuple[int, int, int, int]], int | None]: ...
def pgn_pieces(
    place: str | PathLike[str] | IO[bytes], compressed: bool, rows: int, every: int, skip: int, /
) -> list[tuple[int, int, int]]: ...

@final
class Cache:
    def __new__(cls, *, exact_depth: bool = False, max_entries: int | None = None) -> Cache: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def get(self, board: BoardLike) -> CacheEntry | None: ...
    def clear(self) -> None: ...
    exact_depth: Final[bool]
    max_entries: Final[int | None]

@final
class Fuzzer:
    def __new__(
        cls,
        seed: int,
        *,
        depth: int | None = None,
        kind: str | None = None,
        quiescence: bool = False,
    ) -> Fuzzer: ...
    def run(self, seconds: float) -> str | None: ...
    def counts(self) -> dict[str, int]: ...

@final
class PlayEngine:
    def __new__(cls) -> PlayEngine: ...
    def configure(
        self, values: Sequence[tuple[str, bool | int | str]], named: Sequence[str]
    ) -> None: ...
    def clear(self) -> None: ...
    def is_free(self) -> bool: ...
    def book_move(self, board: chess.Board, random: int) -> chess.Move | None: ...
    def start(
        self,
        board: chess.Board,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        mate: int | None = None,
        clock: float | None = None,
        increment: float = 0.0,
        moves_to_go: int | None = None,
        infinite: bool = False,
        root_moves: Sequence[chess.Move] | None = None,
        ponder: bool = False,
    ) -> PlaySearch: ...

@final
class PlaySearch:
    def is_inherited(self) -> bool: ...
    def stop(self) -> None: ...
    def ponder_hit(self) -> None: ...
    def wait(self, count: int, timeout: float | None) -> bool: ...
    def wait_for_end(self, timeout: float | None) -> bool: ...
    def has_ended(self) -> bool: ...
    def infos(self, start: int) -> list[_PlayInfo]: ...
    def best(self) -> tuple[chess.Move | None, chess.Move | None]: ...

class _PlayInfo(TypedDict):
    depth: int
    seldepth: int
    multipv: int
    nodes: int
    nps: int
    hashfull: int
    tbhits: int
    time: float
    cp: int | None
    mate: int | None
    wdl: tuple[int, int, int]
    pv: list[chess.Move]

def play_options() -> list[tuple[str, str, bool | int | str | None, int | None, int | None]]: ...
@overload
def search(  # type: ignore[overload-overlap] # the other one is not given these two
    algorithm: str,
    board: BoardLike,
    depth: int,
    *,
    nodes: int | None,
    seconds: float | None,
    **options: object,
) -> Found | None: ...
@overload
def search(
    algorithm: str,
    board: BoardLike,
    depth: int,
    *,
    cache: Cache | None = None,
    rng: Chooser | None = None,
    order: list[tuple[str, int]] | None = None,
    evaluation: CompiledEvaluation | Callable[[chess.Board], int] | None = None,
    trace: Trace | None = None,
    profile: bool = False,
    **options: object,
) -> Found: ...
def record(
    algorithm: str,
    board: BoardLike,
    depth: int,
    *,
    max_nodes: int,
    max_ply: int = 255,
    line: list[int] = ...,
    best_moves: bool = False,
    cache: Cache | None = None,
    rng: Chooser | None = None,
    order: list[tuple[str, int]] | None = None,
    evaluation: CompiledEvaluation | Callable[[chess.Board], int] | None = None,
    **options: object,
) -> tuple[dict[str, bytes], Found | None]: ...
def find_mate(
    board: BoardLike, moves: int, table_mb: int, nodes: int | None
) -> tuple[int | None, bool, tuple[chess.Move, ...], int]: ...
def search_exact(
    board: BoardLike,
    depth: int | chess.engine.Limit | None,
    threads: int,
    table: Table | None,
    best_moves: bool,
    nodes: int | None,
    time: float | None,
    root_moves: Iterable[chess.Move] | None,
    multipv: int | str | None,
    rng: Chooser | None,
    evaluation: CompiledEvaluation | None = None,
    /,
) -> Found: ...
def search_window(
    board: BoardLike,
    depth: int,
    window: tuple[int, int],
    table: Table | None = None,
    evaluation: CompiledEvaluation | None = None,
    /,
) -> tuple[int, list[int]]: ...
def line(
    board: BoardLike, first: chess.Move, depth: int, evaluation: CompiledEvaluation | None = None
) -> tuple[chess.Move, ...]: ...
def evaluate_position(board: BoardLike, evaluation: CompiledEvaluation | None = None) -> int: ...
def evaluate_move(
    board: BoardLike, move: chess.Move, evaluation: CompiledEvaluation | None = None
) -> int: ...
def is_endgame(board: BoardLike) -> bool: ...
def terminal(board: BoardLike) -> tuple[bool, int | None]: ...
def certify(
    board: BoardLike, depth: int, quiescence: bool, max_positions: int | None, max_choices: int, /
) -> tuple[int, tuple[chess.Move, ...], bytes]: ...
def fuzz_kinds() -> list[str]: ...
def fuzz_position(kind: str, seed: int, case: int) -> str: ...
def see(board: BoardLike, move: chess.Move) -> int: ...
def legal_moves(board: BoardLike) -> list[chess.Move]: ...
def perft(board: BoardLike, depth: int) -> int: ...
def tables() -> tuple[list[int], list[list[int]]]: ...

# The protocol.

class _Players(Protocol):
    def select(self, name: str) -> None: ...
    def new_game(self) -> None: ...
    def choose(
        self, name: str, fen: str, moves: Sequence[str], chess960: bool, limit: Mapping[str, Any]
    ) -> tuple[Any, ...]: ...

def uci_fault(line: str) -> str | None: ...
def uci_main(
    names: Sequence[str],
    players: _Players,
    commands: Sequence[str] | None = None,
    write: Callable[[str], object] | None = None,
) -> None: ...

# The other published programs.

def python_chess_view(
    board: BoardLike,
) -> tuple[list[chess.Move], list[chess.Move], str | None, tuple[int, int, int]]: ...

@final
class Recording:
    def __new__(
        cls, *, max_nodes: int, max_ply: int = 255, line: Sequence[int] = ...
    ) -> Recording: ...
    def columns(self) -> dict[str, bytes]: ...
    is_full: Final[bool]

def chessai_search(
    algorithm: str,
    board: BoardLike,
    depth: int,
    *,
    call: tuple[int, int, bool, int] | None = None,
    use_heuristic: bool = True,
    ending: bool = False,
    tablebase: object = None,
    record: Recording | None = None,
) -> tuple[
    int, bool, list[chess.Move], tuple[int, int, tuple[int, int], int, int], int | None, float
]: ...
def chessai_evaluate_move(
    board: BoardLike,
    m: chess.Move,
    *,
    is_opponent: bool = False,
    prev_score: int = 0,
    depth: int = 0,
    use_heuristic: bool = True,
    ending: bool = False,
    tablebase: object = None,
) -> tuple[int, bool]: ...
def chessai_board_score(board: BoardLike, white: bool, *, ending: bool = False) -> int: ...

@final
class Cosc76Player:
    def __new__(
        cls,
        algorithm: str,
        depth: int,
        *,
        maximizing: bool,
        move_count: int | None = None,
        memoized: bool = False,
        ids: bool = False,
        timeout: int = 0,
        report: bool = False,
    ) -> Cosc76Player: ...
    def choose_move(
        self, board: BoardLike, *, record: Recording | None = None
    ) -> tuple[
        int | float,
        chess.Move | None,
        list[tuple[chess.Move, int | None, int | float]],
        dict[str, int],
        int,
        int,
        float,
    ]: ...
    played: Final[list[str]]
    memory: Final[tuple[int, int] | None]

def cosc76_evaluate(board: BoardLike) -> int | float: ...
def didactic_search(
    engine: str,
    board: BoardLike,
    depth: int,
    *,
    analyse: bool = False,
    simplified: bool = False,
    captures: str = "defended",
    tablebase: object = None,
    record: Recording | None = None,
) -> tuple[
    int,
    list[tuple[chess.Move, int]],
    list[chess.Move],
    dict[str, int],
    dict[str, int] | None,
    float,
]: ...
def didactic_tree_count(
    engine: str,
    board: BoardLike,
    depth: int,
    *,
    analyse: bool = False,
    simplified: bool = False,
    captures: str = "defended",
) -> tuple[int, int, int, int]: ...
def didactic_evaluate(board: BoardLike) -> int | None: ...
def didactic_heuristic(board: BoardLike, *, simplified: bool) -> int: ...
def didactic_increment(board: BoardLike, move: chess.Move, *, endgame: bool) -> int: ...
def didactic_is_endgame(board: BoardLike) -> bool: ...
def didactic_see_capture(
    board: BoardLike, move: chess.Move, *, optimized: bool = False
) -> tuple[int, int]: ...

# For matches.
@final
class Sample:
    def __new__(cls, counts: Sequence[float], /) -> Self: ...
    def elo(self, confidence: float) -> tuple[float, float, float, bool]: ...
    def normalized_elo(self, confidence: float) -> tuple[float, float, float, bool]: ...
    def superiority(self) -> float: ...
    def llr(self, elo0: float, elo1: float, *, normalized: bool) -> float: ...

# For the benchmarks.
@final
class ReadPositions:
    def __new__(cls, boards: Iterable[BoardLike], /) -> ReadPositions: ...
    def search(self, depth: int, with_best_moves: bool, with_line: bool) -> int: ...

def left_first_minimal_graph(board: BoardLike, depth: int) -> int: ...
def search_without(board: BoardLike, depth: int, technique: str | None) -> Found: ...
def techniques() -> list[str]: ...
def yardstick_bulk_perft(board: BoardLike, depth: int) -> int: ...
def yardstick_perft(board: BoardLike, depth: int) -> int: ...
def yardstick_search(board: BoardLike, depth: int) -> tuple[int, int, int]: ...
