"""Keeps the command at work where a standard stream is closed or cannot be written.

A descriptor that is closed as Python starts makes `sys.stdout` or `sys.stderr` None, and the next
file that is opened gets its number, so that programs which are started would print into that file.
"""

import errno
import io
import os
import sys


class _Stream(io.FileIO):
    """A stream of which it is known whether it could be written."""

    keeps_going = False  # whether what cannot be written is passed over
    error: OSError | None = None  # why something was passed over

    def write(self, data: bytes | memoryview, /) -> int | None:  # type: ignore[override]
        if self.error is None:
            try:
                return super().write(data)
            except OSError as error:
                if os.name == "nt" and error.errno == errno.EINVAL:  # the reader went away
                    error = BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
                if not self.keeps_going:
                    raise error
                self.error = error
        return memoryview(data).nbytes


_STREAMS: dict[str, _Stream] = {}  # those of this process, by their names in `sys`


def guard() -> None:
    """Open what is closed of the standard streams, to nowhere, and watch over the others."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
        elif mode == "w" and name not in _STREAMS:
            _watch(name, getattr(sys, name))
    if "stderr" in _STREAMS:
        _STREAMS["stderr"].keeps_going = True  # there is nowhere to complain about it
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        # Letters that a code page lacks keep their width on a terminal, and are not lost elsewhere.
        sys.stdout.reconfigure(errors="replace" if sys.stdout.isatty() else "backslashreplace")


def _watch(name: str, stream: io.TextIOWrapper) -> None:
    """Put a stream that is watched in the place of one of Python's own."""
    if type(stream) is not io.TextIOWrapper or stream.fileno() not in (1, 2):
        return
    if type(getattr(stream.buffer, "raw", stream.buffer)) is not io.FileIO:
        return  # a console of Windows
    stream.flush()
    raw = _STREAMS[name] = _Stream(stream.fileno(), "w", closefd=False)
    is_buffered = isinstance(stream.buffer, io.BufferedIOBase)
    watched = io.TextIOWrapper(
        io.BufferedWriter(raw) if is_buffered else raw,  # type: ignore[type-var]
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
    setattr(sys, name, watched)


def keep_going() -> None:
    """Go on where the standard output cannot be written, for there is something else to be done."""
    if "stdout" in _STREAMS:
        _STREAMS["stdout"].keeps_going = True


def lost() -> OSError | None:
    """Why something of the standard output was lost; None if its reader went away, too."""
    error = _STREAMS["stdout"].error if "stdout" in _STREAMS else None
    return None if isinstance(error, BrokenPipeError) else error
