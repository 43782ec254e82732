"""Parts: what a run has finished stays finished, whatever happens next.

A part is written under another name in the same folder, synced, and renamed; then the folder is
synced. So a file with the name of a part is whole. The folder has a manifest, which says to which
question and to which files the parts belong.

An output that is a single file has its parts in a folder beside it, `OUT.parts`. When all are
there they are joined, in the order of the input, and the folder is removed.
"""

from __future__ import annotations

import hashlib
import json
import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from betacut.datasets.configuration import Configuration
from betacut.datasets.errors import DatasetError
from betacut.messages import one_line, shown, shown_path

__all__ = ["MANIFEST", "InputFile", "Manifest", "Output", "part_name", "written_aside"]

MANIFEST = "_betacut.json"
"""The name of the manifest in the folder of the parts."""

ASIDE = ".aside"
"""How the names of files end that are being written."""

WHOLE = 64 << 20
"""Files up to this size are read whole to know them again. Bytes."""

SAMPLES, SAMPLE = 16, 4096
"""How many places of a larger file are looked at, and how many bytes at each."""


def part_name(index: int, suffix: str) -> str:
    """The name of a part.

    Args:
        index: The number of the unit, from 0.
        suffix: The suffix of the format, such as `.parquet`.

    Returns:
        The name, without a folder. Names sort as numbers do.
    """
    return f"part-{index:08d}{suffix}"


def note_of(path: Path) -> Path:
    """Where the manifest of a file is that cannot have it inside.

    Args:
        path: The file.

    Returns:
        The path of the manifest.
    """
    return path.with_name(f"{path.name}.betacut.json")


@dataclass(frozen=True)
class InputFile:
    """What is remembered of a file that is read, to know it again.

    Attributes:
        name: Its name, without folders: these may be others on another machine.
        size: Its size in bytes.
        fingerprint: 16 hexadecimal digits, of its bytes, or if it is large of some of them.
    """

    name: str
    size: int
    fingerprint: str

    @classmethod
    def of(cls, path: Path) -> InputFile:
        """Look at a file.

        Args:
            path: The file.

        Returns:
            What is to be remembered.

        Raises:
            DatasetError: If it cannot be read.
        """
        digest = hashlib.sha256()
        try:
            with path.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                for number in range(SAMPLES if size > WHOLE else 0):
                    file.seek((size - SAMPLE) * number // (SAMPLES - 1))
                    digest.update(file.read(SAMPLE))
                file.seek(0)
                while size <= WHOLE and (block := file.read(1 << 20)):
                    digest.update(block)
        except OSError as error:
            message = f"cannot read {shown_path(path)}: {error.strerror}"
            raise DatasetError(message) from None
        digest.update(str(size).encode())
        return cls(path.name, size, digest.hexdigest()[:16])


@dataclass(frozen=True)
class Manifest:
    """To which question and to which files the parts of a folder belong.

    Attributes:
        configuration: What was asked.
        digest: 16 hexadecimal digits that tell these files from others.
        units: How many parts there are to be.
        inputs: The files, in their order, where they are known; a single unit knows its own only.
    """

    configuration: Configuration
    digest: str
    units: int
    inputs: tuple[InputFile, ...] = ()

    @property
    def metadata(self) -> dict[str, str]:
        """What every part says of itself: the same in all of them."""
        return {
            "betacut": self.configuration.hash,
            "betacut.configuration": json.dumps(self.configuration.to_dict(), sort_keys=True),
            "betacut.inputs": self.digest,
        }

    def to_json(self) -> str:
        """Write it.

        Returns:
            JSON, the same for the same manifest.
        """
        facts = {
            "hash": self.configuration.hash,
            "configuration": self.configuration.to_dict(),
            "units": self.units,
            "digest": self.digest,
            "inputs": [asdict(one) for one in self.inputs],
        }
        return json.dumps(facts, indent=2) + "\n"

    @classmethod
    def read(cls, path: Path) -> Manifest | None:
        """Read a manifest.

        Args:
            path: Where it is.

        Returns:
            The manifest; None if there is no such file.

        Raises:
            DatasetError: If it is none.
        """
        try:
            facts = json.loads(path.read_bytes())
            inputs = tuple(InputFile(**one) for one in facts["inputs"])
            configuration = Configuration.from_dict(facts["configuration"])
            found = cls(configuration, str(facts["digest"]), int(facts["units"]), inputs)
            same = found.configuration.hash == facts["hash"]
        except FileNotFoundError:
            return None
        except OSError as error:
            message = f"cannot read {shown_path(path)}: {error.strerror}"
            raise DatasetError(message) from None
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
        """What a file says of what was asked, whatever release of betacut has written it.

        Args:
            place: A manifest, or a file of Parquet.

        Returns:
            The values of the configuration by name; None if it says nothing of the kind.
        """
        try:
            if place.suffix.lower() == ".parquet":
                found = json.loads(parquet_metadata(place)["betacut.configuration"])
            else:
                found = json.loads(place.read_bytes())["configuration"]
        except (OSError, ValueError, TypeError, KeyError):
            return None
        return found if isinstance(found, dict) else None

    def check_same(self, found: Manifest, place: Path) -> None:
        """Make sure that the parts that are there belong to this question.

        Args:
            found: The manifest that is there.
            place: Where, for the message.

        Raises:
            DatasetError: If they belong to another one; the message shows both.
        """
        start = f"{shown_path(place)} has results of another"
        end = "take another place, or start again with --fresh (resume=False)"
        theirs, mine = found.configuration, self.configuration
        if differences := theirs.differences(mine):
            fields = "; ".join(differences)
            message = f"{start} configuration, {theirs.hash}, not {mine.hash} ({fields}): {end}"
            raise DatasetError(message)
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
    """Write in 16 hexadecimal digits which files were read.

    Args:
        inputs: The files.

    Returns:
        The digits.
    """
    text = json.dumps([asdict(one) for one in inputs], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@contextmanager
def written_aside(path: Path, folder: Path | None = None, *, new: bool = False) -> Iterator[Path]:
    """Write a file so that it is there as a whole, or not at all.

    Args:
        path: Where it is to be.
        folder: Where it is written, a folder of the same file system; None for the same folder.
            What a killed process leaves there is found by `Output.clear`.
        new: Whether a file of this name that is there already stays.

    Yields:
        Where it is to be written. If all goes well it is synced and renamed; if not, removed.
    """
    name = f".{path.name}.{_host()}.{os.getpid()}.{uuid4().hex[:8]}{ASIDE}"
    aside = (folder or path.parent) / name
    try:
        yield aside
        _sync(aside, os.O_RDWR)
        if new:
            _rename_to_new(aside, path)
        else:
            aside.replace(path)
    except BaseException:
        with suppress(OSError):
            aside.unlink()
        raise
    sync_directory(path.parent)


def _rename_to_new(aside: Path, path: Path) -> None:
    """Rename a file, unless there is one of the new name."""
    try:
        path.hardlink_to(aside)
    except FileExistsError:
        pass
    except OSError:  # a file system without links
        aside.replace(path)
        return
    aside.unlink()


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
    """Wait until the names in a directory are on the disk, where the system can do that.

    Args:
        path: The directory.
    """
    with suppress(OSError):  # Windows opens no directories, some file systems sync none
        _sync(path, os.O_RDONLY)


@dataclass(frozen=True)
class Output:
    """Where the results go.

    Attributes:
        path: The file or the folder that was asked for.
        folder: The folder of the parts.
        suffix: The suffix of the parts.
    """

    path: Path
    folder: Path
    suffix: str

    @classmethod
    def of(cls, path: Path, suffix: str, *, single: bool) -> Output:
        """Find the places.

        Args:
            path: The file or the folder that was asked for.
            suffix: The suffix of the format.
            single: Whether it is to be a file.
        """
        return cls(path, path.with_name(f"{path.name}.parts") if single else path, suffix)

    @property
    def single(self) -> bool:
        """Whether it is to be a file."""
        return self.folder != self.path

    @property
    def note(self) -> Path:
        """Where the manifest of a file is that cannot have it inside: any but Parquet."""
        return note_of(self.path)

    def finished(self, units: int) -> Manifest | None:
        """What a file says of itself that was finished before.

        Args:
            units: How many parts there are to be, which the file does not say.

        Returns:
            Its manifest; None if it says nothing that is of betacut.
        """
        if self.suffix != ".parquet":
            return Manifest.read(self.note)
        metadata = parquet_metadata(self.path)
        try:
            facts = json.loads(metadata["betacut.configuration"])
            found = Manifest(Configuration.from_dict(facts), metadata["betacut.inputs"], units)
        except (ValueError, TypeError, KeyError):
            return None
        return found if found.metadata == metadata else None

    def parts(self) -> set[str]:
        """The names of the parts that are there."""
        try:
            with os.scandir(self.folder) as entries:
                return {one.name for one in entries if _is_part(one.name, self.suffix)}
        except FileNotFoundError:
            return set()

    def prepare(self, manifest: Manifest) -> None:
        """Make the folder and its manifest, or find that they are those of the same question.

        Args:
            manifest: What is asked.

        Raises:
            DatasetError: If the folder belongs to another question, or is nobody's.
            OSError: If it cannot be written.
        """
        place = self.folder / MANIFEST
        found = Manifest.read(place)
        if found is None:
            if self.folder.exists():
                self._check_empty()
            self.folder.mkdir(exist_ok=True)
            sync_directory(self.folder.parent)
            with written_aside(place, new=True) as aside:
                aside.write_text(manifest.to_json(), encoding="utf-8")
            # That of another process, if both have begun at the same time.
            found = Manifest.read(place) or manifest
        manifest.check_same(found, self.folder)

    def _check_empty(self) -> None:
        """Take a folder without a manifest only if there is nothing in it."""
        for name in sorted(os.listdir(self.folder)):
            if not name.startswith(".") and name != MANIFEST:
                if (self.folder / MANIFEST).exists():
                    return  # another process has just begun
                message = f"{shown_path(self.folder)} has other files in it, such as {shown(name)}"
                raise DatasetError(f"{message}: take an empty folder, or one that is not there yet")

    def broken(self, names: set[str], manifest: Manifest) -> set[str]:
        """Find parts that are not what they should be, as after a failure of the disk.

        Args:
            names: The parts to look at.
            manifest: What they should say of themselves.

        Returns:
            Those that are to be made again.
        """
        if self.suffix != ".parquet":
            return set()
        return {name for name in names if not _ours(parquet_metadata(self.folder / name), manifest)}

    def clear(self, *, dead_only: bool) -> None:
        """Remove files that were being written when their process was killed.

        Args:
            dead_only: Whether other processes may be at work.
        """
        mine = _host()
        for name in os.listdir(self.folder):
            if not name.startswith(".") or not name.endswith(ASIDE):
                continue
            host, process = name.split(".")[-4:-2]
            if dead_only and (host != mine or _is_alive(process)):
                continue
            with suppress(OSError):
                (self.folder / name).unlink()

    def forget(self) -> None:
        """Remove all parts, of whatever format, and the manifest last.

        Raises:
            DatasetError: If the folder has no manifest, but files: they are somebody else's.
        """
        if not self.folder.is_dir():
            return
        if not (self.folder / MANIFEST).exists():
            self._check_empty()
        for name in sorted(os.listdir(self.folder)):
            if _is_part(name, Path(name).suffix):
                (self.folder / name).unlink(missing_ok=True)
        self.clear(dead_only=False)
        (self.folder / MANIFEST).unlink(missing_ok=True)
        if self.single:
            self.folder.rmdir()
            sync_directory(self.folder.parent)

    @contextmanager
    def joining(self) -> Iterator[bool]:
        """Be the only process that joins the parts.

        Yields:
            Whether they are to be joined; False if another process does it or has done it.
        """
        try:
            file = (self.folder / MANIFEST).open("rb")
        except FileNotFoundError:
            yield False
            return
        with file:
            try:
                import fcntl
            except ImportError:
                yield True
                return
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            except OSError:  # a file system without locks
                pass
            yield (self.folder / MANIFEST).exists()


def _is_part(name: str, suffix: str) -> bool:
    number = name.removeprefix("part-").removesuffix(suffix)
    return number.isdecimal() and name == part_name(int(number), suffix)


def _is_alive(process: str) -> bool:
    """Whether there is a process of this number on this machine."""
    if not process.isdecimal() or os.name == "nt":  # where signal 0 is one that is sent
        return True
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def parquet_metadata(path: Path) -> dict[str, str]:
    """Read what a Parquet file says of itself.

    Args:
        path: The file.

    Returns:
        The texts of betacut by name; nothing if it cannot be read.
    """
    import pyarrow
    import pyarrow.parquet

    try:
        found: Mapping[bytes, bytes] = pyarrow.parquet.read_metadata(path).metadata or {}
    except (OSError, pyarrow.ArrowException):
        return {}
    return {
        name.decode("utf-8", "replace"): value.decode("utf-8", "replace")
        for name, value in found.items()
        if name.startswith(b"betacut")
    }


def _ours(metadata: Mapping[str, Any], manifest: Manifest) -> bool:
    """Whether metadata is that of this manifest."""
    return all(metadata.get(name) == value for name, value in manifest.metadata.items())
