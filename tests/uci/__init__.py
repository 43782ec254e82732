"""The Universal Chess Interface: a conformance driver, a fuzz, and what is special in Python.

Failed assertions of the clients show their values.
"""

import pytest

pytest.register_assert_rewrite("uci.clients")
