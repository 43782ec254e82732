"""Lets failed assertions of the driver show what they compared."""

import pytest

pytest.register_assert_rewrite("uci.clients", "uci.steps")
