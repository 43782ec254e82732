"""What the programs begin with that tests start as processes of their own."""

import sys

import pytest

needs_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="limits, threads and memory are asked for as on Linux"
)

LIMITS = """
import os

def outcome(function, *args, **kwargs):
    try:
        return function(*args, **kwargs)
    except BaseException as error:
        return f"{type(error).__name__}: {error}"

def limit_memory(mebibytes):
    # None lifts the limit.
    import resource
    limit = resource.RLIM_INFINITY
    if mebibytes is not None:
        with open("/proc/self/statm") as file:
            limit = int(file.read().split()[0]) * resource.getpagesize() + (mebibytes << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))

def no_more_threads():
    import resource
    if os.getuid() == 0:
        os.setuid(54321)  # the limit is not for the superuser
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
"""
"""What a function returns or raises, and limits of the process."""
