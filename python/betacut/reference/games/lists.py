"""Trees written down as nested lists of the values of their leaves."""

from collections.abc import Mapping
from typing import Any

from betacut.core.arguments import as_int, check_between
from betacut.core.messages import described, shown
from betacut.reference.games.moves import no_such_move


class ListTree:
    """A tree that is written down: a leaf is a number, an inner node a list of its children.

    A mapping names the children; those of a list are called 0, 1, 2, …

    Args:
        tree: The tree, as lists or mappings of trees and ints.
        first: The player to move at the root: 1, the maximiser, or 2, the minimiser.

    Raises:
        TypeError: If something in it is no list, no mapping and no int, or a child is called None.
        ValueError: If an inner node has no children, or `first` is neither 1 nor 2.

    Examples:
        >>> from betacut import reference
        >>> from betacut.reference.games import ListTree
        >>> result = reference.alpha_beta_pruning_no_memo(ListTree([[3, 5], [2, 9]]), 2)
        >>> result.score, result.pv, result.statistics.root_calls
        (3, (0, 0), {'alpha_beta_max': 4, 'alpha_beta_min': 2})
    """

    def __init__(self, tree: object, *, first: int = 1) -> None:
        self._first = check_between(first, "first", "", 1, 2)
        self._root = _read(tree)
        self._path: tuple[Any, ...] = ()
        self._here = self._root

    @property
    def depth(self) -> int:
        """The longest way from here to a leaf. Plies."""
        return _depth(self._here)

    def moves(self) -> list[Any]:
        """List the names of the children."""
        return [*self._here] if isinstance(self._here, dict) else []

    def play(self, move: Any) -> "ListTree":  # noqa: ANN401
        """Return the child of this name."""
        try:
            here = self._here[move]
        except (KeyError, TypeError):
            raise no_such_move(self, move) from None
        child = ListTree.__new__(ListTree)
        child._first, child._root = self._first, self._root
        child._path, child._here = (*self._path, move), here
        return child

    def is_over(self) -> bool:
        """Tell whether this is a leaf."""
        return not isinstance(self._here, dict)

    def value(self) -> int:
        """Tell the value of a leaf."""
        if isinstance(self._here, dict):
            ply = len(self._path)
            raise ValueError(
                f"depth {ply} ends at an inner node, which has no value: the depth of the tree is "
                f"{_depth(self._root)} (iterative_deepening asks for a value at every depth)"
            )
        return int(self._here)

    def to_move(self) -> int:
        """Tell who moves."""
        return self._first if len(self._path) % 2 == 0 else 3 - self._first

    def __eq__(self, other: object) -> bool:
        """Compare the places: two equal subtrees in different places are two positions."""
        if not isinstance(other, ListTree):
            return NotImplemented
        same_place = (self._path, self._first) == (other._path, other._first)
        return same_place and (self._root is other._root or self._root == other._root)

    def __hash__(self) -> int:
        return hash((self._path, self._first))

    def __str__(self) -> str:
        return _written(self._here)

    def __repr__(self) -> str:
        return f"ListTree({self})"


def _read(tree: object) -> Any:  # noqa: ANN401
    """Read a tree: mappings of names to trees, down to ints."""
    children = dict(enumerate(tree)) if isinstance(tree, (list, tuple)) else tree
    if not isinstance(children, Mapping):
        return as_int(tree, "a tree must be a list, a mapping or an int (a leaf)")
    if not children:
        raise ValueError(f"an inner node must have a child or more, not {described(tree)}")
    if None in children:
        raise TypeError(f"a move must not be None, as in {shown(tree)}")
    return {name: _read(child) for name, child in children.items()}


def _depth(tree: object) -> int:
    return 1 + max(map(_depth, tree.values())) if isinstance(tree, dict) else 0


def _written(tree: object) -> str:
    if not isinstance(tree, dict):
        return str(tree)
    is_list = [*tree] == [*range(len(tree))]
    parts = (
        _written(child) if is_list else f"{name}: {_written(child)}" for name, child in tree.items()
    )
    return f"[{', '.join(parts)}]" if is_list else f"{{{', '.join(parts)}}}"
