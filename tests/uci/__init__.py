"""The Universal Chess Interface: a conformance driver, a fuzz, and what is special in Python."""
