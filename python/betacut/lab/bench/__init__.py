"""The benchmark behind `betacut bench`: speed as ratios, and a signature of the trees.

A time means little on another machine, and on a busy one it means little at all. So every figure
is a ratio of two speeds that were taken in one process, in turns, in CPU time of this thread, and
of each speed the best of several rounds counts. The yardstick is shakmaty's own perft that makes
every node: about as fast as a textbook search on this move generator could walk its tree.

The signature is the number of nodes that each algorithm visits on the named positions. It depends
on nothing but the program: a change to it is a change of behaviour.
"""

from betacut.lab.bench.report import Goal, Report, Row, Section, Verdict, geometric_mean
from betacut.lab.bench.textbook import GOALS, SIGNATURE_DEPTHS, measure, measure_position, signature

__all__ = [
    "GOALS",
    "SIGNATURE_DEPTHS",
    "Goal",
    "Report",
    "Row",
    "Section",
    "Verdict",
    "geometric_mean",
    "measure",
    "measure_position",
    "signature",
]
