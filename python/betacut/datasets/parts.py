"""Parts: what a run has finished stays finished, whatever happens next.

A part is written under another name in the same folder, synced, and renamed; then the folder is
synced. So a file with the name of a part is whole. The folder has a manifest, which says to which
question and to which files the parts belong.

An output that is a single file has its parts in a folder beside it, `OUT.parts`. When all are
there they are joined, in the order of the input, and the folder is removed.

Any number of runs may be at work at once, and each may be killed at any moment. So:

- A file is written aside, beside the place where it is to be, and only renamed or linked when it is
  whole. What two runs write to the same place has the same bytes.
- `OUT` gets its name by a link, which fails where a file is. Only a file that `--fresh` has seen is
  replaced; the manifest says which.
- While the work goes on, a run removes only what processes have left that are gone.
- When the output is whole, all else is rubbish, what other runs are writing included. Each run
  that finds the output whole removes the parts, the asides, the manifest after them, and then the
  folder, if it is empty: the last run to end finds everything that others have left.
- A run whose files are gone looks again, and either finds the output whole or goes on.
"""

import errno
import hashlib
import json
import os
import re
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

from betacut.core.messages import one_line, shown, shown_path
from betacut.datasets.configuration import Configuration
from betacut.datasets.errors import DatasetError
from betacut.datasets.formats.base import cannot_read
from betacut.datasets.formats.parquet import written_metadata
from betacut.datasets.places import identity, is_distant, is_there, names_in, opened, send

MANIFEST = "_betacut.json"  # the name of the manifest in the folder of the parts

AGAIN = ".betacut-again.parquet"  # that of the list of rows whose positions come again

# The name of a file that is being written: that of the file to be, the machine, the process.
ASIDE = re.compile(r"\.(.+)\.([^.]+)\.(\d{1,9})\.[0-9a-f]+\.aside")

INSIDE = (".parquet", ".arrow", ".feather")  # the files that say themselves what is in them

WHOLE = 64 << 20  # files up to this size are read whole to know them again, in bytes

SAMPLES, SAMPLE = 16, 4096  # how many places of a larger file are read, and bytes at each


def part_name(index: int, suffix: str) -> str:
    """The name of a part."""
    return f"part-{index:08d}{suffix}"


def note_of(path: Path) -> Path:
    """Where the manifest of a file is that cannot have it inside."""
    return path.with_name(f"{path.name}.betacut.json")


@dataclass(frozen=True)
class InputFile:
    """What is remembered of a file that is read, to know it again."""

    name: str  # without folders: these may be others on another machine
    size: int
    fingerprint: str  # 16 hexadecimal digits, of its bytes, or if it is large of some of them

    @classmethod
    def of(cls, path: Path) -> "InputFile":
        """Look at a file."""
        try:
            size, digits = _fingerprint(path)
        except OSError as error:
            raise cannot_read(path, error) from None
        return cls(path.name, size, digits)


def _fingerprint(path: Path) -> tuple[int, str]:
    """The size of a file, and 16 hexadecimal digits of its bytes."""
    digest = hashlib.sha256()
    with opened(path) as file:
        size = file.seek(0, os.SEEK_END)
        for number in range(SAMPLES if size > WHOLE else 0):
            file.seek((size - SAMPLE) * number // (SAMPLES - 1))
            digest.update(file.read(SAMPLE))
        file.seek(0)
        while size <= WHOLE and (block := file.read(1 << 20)):
            digest.update(block)
    digest.update(str(size).encode())
    return size, digest.hexdigest()[:16]


@dataclass(frozen=True)
class Manifest:
    """To which question and to which files the parts of a folder belong."""

    configuration: Configuration
    digest: str  # 16 hexadecimal digits that tell these files from others
    units: int  # how many parts there are to be
    inputs: tuple[InputFile, ...] = ()  # in their order, where they are known
    output: str = ""  # which file this was written beside: digits by which it is known again
    replaces: str = ""  # which file at the place of the output may be, as `_identity` writes it

    @property
    def metadata(self) -> dict[str, str]:
        """What every part says of itself: the same in all of them."""
        return {
            "betacut": self.configuration.hash,
            "betacut.configuration": json.dumps(self.configuration.to_dict(), sort_keys=True),
            "betacut.inputs": self.digest,
        }

    def to_json(self) -> str:
        """Write it."""
        facts = {
            "hash": self.configuration.hash,
            "configuration": self.configuration.to_dict(),
            "units": self.units,
            "digest": self.digest,
            "inputs": [asdict(one) for one in self.inputs],
            **({"output": self.output} if self.output else {}),
            **({"replaces": self.replaces} if self.replaces else {}),
        }
        return json.dumps(facts, indent=2) + "\n"

    @classmethod
    def read(cls, path: Path) -> "Manifest | None":
        """Read a manifest."""
        try:
            facts = json.loads(path.read_bytes())
            inputs = tuple(InputFile(**one) for one in facts["inputs"])
            configuration = Configuration.from_dict(facts["configuration"])
            marks = (str(facts.get(name, "")) for name in ("output", "replaces"))
            found = cls(configuration, str(facts["digest"]), int(facts["units"]), inputs, *marks)
            same = found.configuration.hash == facts["hash"]
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise cannot_read(path, error) from None
        except (ValueError, TypeError, KeyError) as error:
            reason = f"no {error}" if isinstance(error, KeyError) else one_line(str(error))
            message = f"{shown_path(path)} is no manifest of betacut ({reason}): remove it if it "
            raise DatasetError(f"{message}is of no use, or take another place") from None
        if not same:
            message = f"{shown_path(path)} is of another release of betacut, whose results differ: "
            raise DatasetError(f"{message}start again with --fresh (resume=False)")
        return found

    @classmethod
    def facts(cls, place: Path) -> Mapping[str, Any] | None:
        """What a file says of what was asked, whatever release of betacut has written it."""
        try:
            if place.suffix.lower() in INSIDE:
                found = json.loads(written_metadata(place)["betacut.configuration"])
            else:
                found = json.loads(place.read_bytes())["configuration"]
        except (OSError, ValueError, TypeError, KeyError):
            return None
        return found if isinstance(found, dict) else None

    def check_same(self, found: "Manifest", place: Path) -> None:
        """Make sure that the parts that are there belong to this question."""
        start = f"{shown_path(place)} has results of another"
        end = "take another place, or start again with --fresh (resume=False)"
        theirs, mine = found.configuration, self.configuration
        if differences := theirs.differences(mine):
            fields = "; ".join(differences)
            raise DatasetError(
                f"{start} configuration, {theirs.hash}, not {mine.hash} ({fields}): {end}"
            )
        for there, here in zip(found.inputs, self.inputs, strict=False):
            if there != here:
                was = f"{there.name}, {there.size} bytes, {there.fingerprint}"
                now = f"{here.name}, {here.size} bytes, {here.fingerprint}"
                raise DatasetError(f"{start} input: it was {was}, and is {now}: {end}")
        if (found.digest, found.units) != (self.digest, self.units):
            was = f"{len(found.inputs) or 'other'} files in {found.units} parts"
            now = f"{len(self.inputs) or 'other'} files in {self.units}"
            raise DatasetError(f"{start} input: it was {was}, and is {now}: {end}")


def inputs_digest(inputs: Sequence[InputFile]) -> str:
    """Write in 16 hexadecimal digits which files were read."""
    text = json.dumps([asdict(one) for one in inputs], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _link_new(aside: Path, path: Path) -> None:
    """Give a file its name, and raise `FileExistsError` if another file has it."""
    if is_distant(path):
        if is_there(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
        send(aside, path)
        return
    try:
        path.hardlink_to(aside)
    except (FileExistsError, FileNotFoundError):
        raise
    except OSError as error:  # a file system without links
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from error
        aside.rename(path)
        return
    aside.unlink(missing_ok=True)


@contextmanager
def written_aside(path: Path, put: Callable[[Path, Path], object] = send) -> Iterator[Path]:
    """Write a file so that it is there as a whole, or not at all."""
    if is_distant(path):
        with TemporaryDirectory(prefix="betacut-") as folder:
            yield (aside := Path(folder, path.name))
            put(aside, path)
        return
    aside = path.with_name(f".{path.name}.{_host()}.{os.getpid()}.{uuid4().hex[:8]}.aside")
    try:
        yield aside
        _sync(aside, os.O_RDWR)
        put(aside, path)
    except BaseException:
        with suppress(OSError):
            aside.unlink()
        raise
    sync_directory(path.parent)


def told(error: OSError, path: Path, advice: str) -> OSError:
    """The same error, with what to do about it."""
    # Some libraries write more than the reason into their message.
    reason = os.strerror(error.errno) if error.errno else str(error)
    return type(error)(error.errno or 0, f"{reason}; {advice}", str(path))


def _host() -> str:
    """The name of this machine, as a part of a file's name."""
    return "".join(letter for letter in socket.gethostname() if letter.isalnum())[:32] or "host"


def _sync(path: Path, mode: int) -> None:
    """Wait until the bytes of a file, or the names in a directory, are on the disk."""
    descriptor = os.open(path, mode | getattr(os, "O_BINARY", 0))
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_directory(path: Path) -> None:
    """Wait until the names in a directory are on the disk, where the system can do that."""
    with suppress(OSError):  # Windows opens no directories, some file systems sync none
        _sync(path, os.O_RDONLY)


@dataclass(frozen=True)
class Output:
    """Where the results go."""

    path: Path  # the file or the folder that was asked for
    folder: Path  # that of the parts
    suffix: str  # that of the parts

    @property
    def single(self) -> bool:
        """Whether it is to be a file."""
        return self.folder != self.path

    def is_finished(self, manifest: Manifest) -> bool:
        """Whether the one file of the output is there, whole and of this question."""
        if not self.single or not is_there(self.path) or self._may_replace():
            return False
        found = self._finished(manifest.units)
        if found is None:
            message = f"{shown_path(self.path)} is there already, and does not say that it was "
            message += "made here: take another name, or replace it with --fresh (resume=False)"
            raise DatasetError(message)
        manifest.check_same(found, self.path)
        if (there := Manifest.read(self.folder / MANIFEST)) is not None:
            manifest.check_same(there, self.folder)
        return True

    def _may_replace(self) -> bool:
        """Whether a file is there, and it is the one that was there at a fresh start."""
        there = Manifest.read(self.folder / MANIFEST)
        return there is not None and there.replaces == identity(self.path) != ""

    def put(self, aside: Path, path: Path) -> None:
        """Give the one file of the output its name."""
        if self._may_replace():
            send(aside, path)
        else:
            _link_new(aside, path)

    def write_note(self, manifest: Manifest, whole: Path) -> None:
        """Write beside a file of text, before it gets its name, what is in it, by its bytes."""
        note = replace(manifest, output=_fingerprint(whole)[1])
        with written_aside(note_of(self.path)) as aside:
            aside.write_text(note.to_json(), encoding="utf-8")

    def _finished(self, units: int) -> Manifest | None:
        """What a file says of itself that was finished before."""
        if self.suffix not in INSIDE:
            note = Manifest.read(note_of(self.path))
            same = note is not None and note.output == _fingerprint(self.path)[1]
            return note if same else None
        metadata = written_metadata(self.path)
        try:
            facts = json.loads(metadata["betacut.configuration"])
            found = Manifest(Configuration.from_dict(facts), metadata["betacut.inputs"], units)
        except (ValueError, TypeError, KeyError):
            return None
        return found if found.metadata == metadata else None

    def parts(self) -> set[str]:
        """The names of the parts that are there."""
        try:
            return {name for name in names_in(self.folder) if _is_part(name, self.suffix)}
        except FileNotFoundError:
            return set()

    def prepare(self, manifest: Manifest) -> None:
        """Make the folder and its manifest, or find that they are those of the same question."""
        place = self.folder / MANIFEST
        found = Manifest.read(place)
        if found is None:
            self._make()
            if not is_there(place):
                self._remove_parts()
            # If two processes begin at the same time the manifest is that of one of them.
            with suppress(FileExistsError), written_aside(place, _link_new) as aside:
                aside.write_text(manifest.to_json(), encoding="utf-8")
            found = Manifest.read(place) or manifest
        manifest.check_same(found, self.folder)

    def restart(self, manifest: Manifest) -> None:
        """Make the folder and its manifest anew, without parts, whatever question they had."""
        self._make()
        self._remove_parts()
        self.clear(dead_only=False)
        fresh = replace(manifest, replaces=identity(self.path) if self.single else "")
        with written_aside(self.folder / MANIFEST) as aside:
            aside.write_text(fresh.to_json(), encoding="utf-8")
        self._remove_parts()  # of a run that was still at work, and sees the new manifest now

    def _make(self) -> None:
        """Make the folder, or find that there is nothing of others in it."""
        try:
            if is_distant(self.folder):
                files: Any = self.folder  # where there are no folders that does nothing
                files.fs.makedirs(files.path, exist_ok=True)
            else:
                self.folder.mkdir(exist_ok=True)
        except FileExistsError:
            if self.folder.is_dir() or not is_there(self.folder):
                raise  # it has come, or gone, just now
            message = f"{shown_path(self.folder)} is there already, and is no folder: remove it, "
            raise DatasetError(f"{message}or take another name") from None
        if not is_distant(self.folder):
            sync_directory(self.folder.parent)
        if (strange := self._strange()) is not None:
            message = f"{shown_path(self.folder)} has other files in it, such as {shown(strange)}"
            raise DatasetError(f"{message}: take an empty folder, or one that is not there yet")

    def _strange(self) -> str | None:
        """Name a file by which a folder without a manifest is known to be that of others."""
        for name in sorted(names_in(self.folder)):
            # Beside an output there may be parts that were left when it was removed.
            if name.startswith(".") or (self.single and _is_part(name, Path(name).suffix)):
                continue
            return None if is_there(self.folder / MANIFEST) else name
        return None

    def _remove_parts(self) -> None:
        """Remove all parts, of whatever format."""
        for name in names_in(self.folder):
            if _is_part(name, Path(name).suffix) or name == AGAIN:
                (self.folder / name).unlink(missing_ok=True)

    @contextmanager
    def part(self, name: str, manifest: Manifest) -> Iterator[Path]:
        """Write a part."""
        place = self.folder / MANIFEST
        try:
            with written_aside(self.folder / name) as aside:
                yield aside
                if (there := Manifest.read(place)) is None:
                    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(place))
                manifest.check_same(there, self.folder)
        except BaseException:
            if not is_distant(self.folder):
                with suppress(OSError):
                    self.folder.rmdir()  # if all others have left it, and all is gone
            raise

    def broken(self, names: set[str], manifest: Manifest) -> set[str]:
        """Find parts that are not what they should be, as after a failure of the disk."""
        if self.suffix not in INSIDE:
            return set()
        wanted = manifest.metadata.items()
        return {
            name for name in names if not wanted <= written_metadata(self.folder / name).items()
        }

    def clear(self, *, dead_only: bool) -> None:
        """Remove files that are being written, or were when their process was killed."""
        if is_distant(self.folder):  # such files are elsewhere
            return
        places = [self.folder, self.path.parent] if self.single else [self.folder]
        for place in places:
            with suppress(OSError):
                for name in os.listdir(place):
                    if (found := ASIDE.fullmatch(name)) is None:
                        continue
                    whole, host, process = found.groups()
                    if not self._writes(place / whole):
                        continue
                    if dead_only and (host != _host() or _is_alive(int(process))):
                        continue
                    with suppress(OSError):
                        (place / name).unlink()

    def _writes(self, path: Path) -> bool:
        """Whether a file is one that a run writes."""
        if self.single and path in (self.path, note_of(self.path)):
            return True
        is_part = _is_part(path.name, path.suffix) or path.name == MANIFEST
        return path.parent == self.folder and is_part

    def sweep(self) -> None:
        """Remove all that is left when the output is whole, and leave what is not ours."""
        self.clear(dead_only=False)
        (self.folder / AGAIN).unlink(missing_ok=True)
        if not self.single:
            return
        with suppress(OSError):
            if self._strange() is None:
                self._remove_parts()
                (self.folder / MANIFEST).unlink(missing_ok=True)
                if is_distant(self.folder):  # an empty folder may stay
                    return
                self.folder.rmdir()
                sync_directory(self.folder.parent)

    @contextmanager
    def joining(self) -> Iterator[None]:
        """Wait, where there are locks, until no other joins the parts: two would write the same."""
        if is_distant(self.folder):
            if not is_there(place := self.folder / MANIFEST):
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(place))
            yield
            return
        with (self.folder / MANIFEST).open("r+b") as file:
            with suppress(ImportError, OSError):  # a system, or a file system, without locks
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX)
            yield


def _is_part(name: str, suffix: str) -> bool:
    number = name.removeprefix("part-").removesuffix(suffix)
    return number.isdecimal() and name == part_name(int(number), suffix)


def _is_alive(process: int) -> bool:
    if os.name == "nt":  # where signal 0 is one that is sent
        return True
    try:
        os.kill(process, 0)
    except OSError as error:
        return not isinstance(error, ProcessLookupError)
    return True
