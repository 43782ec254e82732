"""The files that a command writes: checked before the work, and all made before one is written."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from betacut.cli.errors import failed
from betacut.cli.streams import keep_going
from betacut.core.messages import shown_path


def check_files(*files: Path | None, source: Path | Iterable[Path] | None = None) -> None:
    """Make sure, before any work is done, that files can be written, and are not read."""
    from betacut.core.arguments import check_writable

    sources = [source] if isinstance(source, Path) else list(source or ())
    named: list[Path] = []
    for path in files:
        if path is None:
            continue
        check_writable(path)
        if _is_among(path, sources):
            raise ValueError(f"{shown_path(path)} is the file that is read: write to another one")
        if _is_among(path, named):
            raise ValueError(f"{shown_path(path)} is to be written twice: name another file")
        named.append(path)
    if named:
        keep_going()


def _is_among(path: Path, others: list[Path]) -> bool:
    """Whether a file is one of others; a device, such as /dev/null, is none of them."""
    with suppress(OSError, ValueError, RuntimeError):  # such as links in a circle
        if path.exists() and not path.is_file():
            return False
        there = path.exists()
        return any(
            path.samefile(other) if there and other.exists() else path.resolve() == other.resolve()
            for other in others
        )
    return False


def check_folder(folder: Path | None) -> None:
    """Make sure, before any work is done, that files can be written into a directory, or made."""
    if folder is None or folder.is_dir():
        return
    if folder.exists():
        raise ValueError(f"cannot write into {shown_path(folder)}: it is no directory")
    check_files(folder)


def check_plot(path: Path | None) -> None:
    """Make sure, before anything is searched, that a plot can be drawn."""
    if path is None:
        return
    from betacut.views.plot import check_path

    try:
        check_path(path)
    except ImportError as error:
        raise failed(error) from None


def drawn(plot: Callable[[Path], object], path: Path) -> Callable[[], bytes]:
    """Have a plot drawn when it is asked for, and not yet written where it is wanted."""

    def content() -> bytes:
        with TemporaryDirectory() as folder:
            place = Path(folder, path.name)
            plot(place)
            return place.read_bytes()

    return content


def write_files(*files: tuple[Path | None, Callable[[], str | bytes]]) -> None:
    """Write files: none before all have been made; a file that was there stays until then."""
    from betacut.core.files import replace_files

    made = [(path, make()) for path, make in files if path is not None]
    replace_files(
        *((path, text.encode() if isinstance(text, str) else text) for path, text in made)
    )
