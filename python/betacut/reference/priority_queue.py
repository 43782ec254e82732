"""A priority queue: a binary heap that gives out the smallest element first.

Python has one (`heapq`), but elements of equal priority leave it in another order. The order of
the original program's queue, which this one reproduces, decides which of two equal moves
iterative deepening searches first.
"""

from typing import Generic, TypeVar

T = TypeVar("T")


class PriorityQueue(Generic[T]):
    """Elements with a priority; the smallest priority comes first.

    The elements are in a list, where those at 2i+1 and 2i+2 are the children of the one at i, and
    no child is smaller than its parent.

    Examples:
        >>> queue = PriorityQueue()
        >>> for word in ("pear", "fig", "apple", "plum"):
        ...     queue.insert(len(word), word)
        >>> [queue.take() for _ in range(len(queue))]
        ['fig', 'plum', 'pear', 'apple']
    """

    def __init__(self) -> None:
        self._heap: list[tuple[int, T]] = []

    def __len__(self) -> int:
        return len(self._heap)

    def insert(self, priority: int, element: T) -> None:
        """Put an element in: it starts at the end and rises while smaller than its parent."""
        heap = self._heap
        heap.append((priority, element))
        at = len(heap) - 1
        while at > 0:
            parent = (at - 1) // 2
            if not heap[at][0] < heap[parent][0]:
                break
            heap[at], heap[parent] = heap[parent], heap[at]
            at = parent

    def take(self) -> T:
        """Take the first element out: the last one replaces it, and sinks to its place."""
        heap = self._heap
        first = heap[0]
        last = heap.pop()
        if heap:
            heap[0] = last
            self._sink()
        return first[1]

    def _sink(self) -> None:
        """Let the element at the top sink while a child is smaller, below the smaller one."""
        heap = self._heap
        at = 0
        while 2 * at + 1 < len(heap):
            left, right = 2 * at + 1, 2 * at + 2
            child = left
            # The right one, if they are equal.
            if right < len(heap) and not heap[left][0] < heap[right][0]:
                child = right
            if not heap[child][0] < heap[at][0]:
                break
            heap[at], heap[child] = heap[child], heap[at]
            at = child
