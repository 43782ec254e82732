"""Settings that all tests share: the hypothesis profiles, and Ctrl-C.

`fast`, the default, always tries the same examples, so a run can be repeated. `slow`, chosen with
`HYPOTHESIS_PROFILE=slow` in the environment, tries many more, different ones each time.

A shell that starts a job in the background has it ignore Ctrl-C, and so would the programs that
the tests start and interrupt: they would never end.
"""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A game is long to generate and a search may take long; neither says anything about betacut.
SLOW_DATA = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]

settings.register_profile(
    "fast",
    max_examples=50,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=SLOW_DATA,
)
settings.register_profile(
    "slow",
    max_examples=1000,
    deadline=None,
    print_blob=True,
    suppress_health_check=SLOW_DATA,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))
