"""Refuses subinterpreters: imported first, it raises there before the compiled module is loaded.

That module keeps Python objects for the whole process, and objects of one interpreter break in
another (`NameError: name 'object' is not defined`).
"""

import _thread
import importlib


def _is_main() -> bool:
    """Whether this is the main interpreter, or there is no telling."""
    try:
        return bool(_thread._is_main_interpreter())  # type: ignore[attr-defined] # Python 3.12
    except AttributeError:
        pass
    try:
        interpreters = importlib.import_module("_xxsubinterpreters")
    except ImportError:
        return True
    return bool(interpreters.get_current() == interpreters.get_main())


if not _is_main():
    raise ImportError(
        "betacut cannot be imported in a subinterpreter, only in the main interpreter of a process "
        "(under mod_wsgi: WSGIApplicationGroup %{GLOBAL})",
        name="betacut",
    )
