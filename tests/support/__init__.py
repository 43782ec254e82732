"""What tests of several rooms share; failed assertions show their values."""

import pytest

pytest.register_assert_rewrite(
    "support.commands", "support.golden_records", "support.tabs", "support.web_server"
)
