"""Matches: statistics, openings, games, tournaments and the command."""
