"""Certificates: exact values with proofs, for those who trust neither betacut nor Rust.

    >>> from betacut.lab import certificates
    >>> certificate = certificates.make("8/R7/6k1/3q3p/5P2/4P1P1/4NK2/8 w - - 1 83", 3)
    >>> certificate.value, [move.uci() for move in certificate.best_moves]
    (155, ['e2c3'])
    >>> certificates.check(certificate).positions > 0
    True

What checks them is one file, `betacut/lab/certificates/checker.py`, that needs python-chess alone:
copy it, read it, run it with `python checker.py FILE`.
"""

from betacut.lab.certificates.certificate import Certificate, Proved, check, make
from betacut.lab.certificates.checker import CertificateError
from betacut.lab.certificates.tree import tree

__all__ = ["Certificate", "CertificateError", "Proved", "check", "make", "tree"]
