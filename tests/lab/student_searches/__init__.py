"""Searches as students write them: two that are right, and the classic bugs, one a file."""
