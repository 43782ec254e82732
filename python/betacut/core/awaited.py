"""Ends the search of a thread once the coroutine that awaits it is cancelled.

A thread cannot be cancelled from outside. When `asyncio.wait_for` gives up on
`asyncio.to_thread(engine.search, board, 12)`, or the task that awaits it is cancelled, the function
runs on, and the end of the loop waits for it. So a search asks here now and then, and ends.

The way from the thread to the coroutine: the pool's frame on the stack knows the
`concurrent.futures.Future` of the call, and that knows the asyncio future which gets its result.
Neither is documented; where it is not so, the work counts as awaited.
"""

import sys

TYPE_CHECKING = False  # what typing's means, without loading typing
if TYPE_CHECKING:
    from typing import Any


def check_awaited() -> None:
    """Raise an error if coroutines awaited the work of this thread, and none does any more."""
    if not sys.modules.keys() >= {"asyncio", "concurrent.futures.thread"}:  # no pool is there
        return
    try:
        futures = _asyncio_futures()
        given_up = [future.cancelled() or future.get_loop().is_closed() for future in futures]
    except (AttributeError, ImportError, RuntimeError, ValueError):  # not as expected
        return
    if given_up and all(given_up):
        from concurrent.futures import CancelledError

        raise CancelledError("the coroutine that awaited this call was cancelled")


def _asyncio_futures() -> "list[Any]":
    """The asyncio futures that get the result of what a pool's thread is running here."""
    from asyncio import isfuture
    from concurrent.futures.thread import _WorkItem

    frame = sys._getframe()
    while frame.f_code is not _WorkItem.run.__code__:
        if frame.f_back is None:
            return []
        frame = frame.f_back
    found = []
    for callback in list(frame.f_locals["self"].future._done_callbacks):
        cells = [cell.cell_contents for cell in getattr(callback, "__closure__", None) or ()]
        futures = [cell for cell in cells if isfuture(cell)]
        if not futures:  # not a coroutine alone waits
            return []
        found += futures
    return found
