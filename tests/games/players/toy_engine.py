"""A toy engine that speaks UCI or XBoard, and misbehaves when it is told to.

It plays the first legal move and writes every line that it gets into the file LOG, and its number
into the file PIDS.
"""

import os
import signal
import sys
import time

import chess

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""

UCI = """\
id name Toy
option name Hash type spin default 16 min 1 max 64
option name Style type combo default calm var calm var wild
option name Tell All type check default false
option name Book File type string default none
option name UCI_LimitStrength type check default false
option name UCI_Elo type spin default 1500 min 1000 max 2000
option name Ponder type check default false
uciok"""


def main() -> None:
    board = chess.Board()
    log, pids = os.environ.get("LOG"), os.environ.get("PIDS")
    if pids:
        with open(pids, "a", encoding="utf-8") as file:
            file.write(f"{os.getpid()}\n")
    if FAULT == "ignores":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in map(str.strip, sys.stdin):
        if log:
            with open(log, "a", encoding="utf-8") as file:
                file.write(f"{line}\n")
        word, _, rest = line.partition(" ")
        if FAULT == "deaf":
            continue
        if word in ("go", "quit"):
            hang()
        if word == "uci":
            print(UCI, flush=True)
        elif word == "isready":
            print("readyok", flush=True)
        elif word == "position":
            board = position(rest)
        elif word == "go":
            go(board)
        elif word == "protover":
            print("feature ping=1 setboard=1 usermove=1 myname=Toy done=1", flush=True)
        elif word == "ping":
            print(f"pong {rest}", flush=True)
        elif word == "setboard":
            board = chess.Board(rest)
        elif word == "new":
            board = chess.Board()
        elif word == "usermove":
            board.push_uci(rest)
            go(board, "move")
        elif word == "quit":
            return


def hang() -> None:
    """Answer nothing any more, if that is the fault."""
    while FAULT in ("hangs", "ignores"):
        time.sleep(60)
    while FAULT == "loops":
        pass


def position(rest: str) -> chess.Board:
    where, _, moves = rest.partition("moves")
    fen = chess.STARTING_FEN if "startpos" in where else where.removeprefix("fen ").strip()
    board = chess.Board(fen)
    for uci in moves.split():
        board.push_uci(uci)
    return board


def go(board: chess.Board, answer: str = "bestmove") -> None:
    if FAULT == "dies":
        sys.exit(1)
    if FAULT == "silent":
        time.sleep(60)
    move = "a1a1" if FAULT == "illegal" else next(iter(board.legal_moves)).uci()
    if answer == "bestmove":
        print("info depth 3 score cp 21 nodes 5 pv " + move, flush=True)
    if FAULT == "ponders":
        move += f" ponder {move}"
    if answer == "move" or not sys.argv[0].endswith("x"):
        print(f"{answer} {move}", flush=True)


if __name__ == "__main__":
    main()
