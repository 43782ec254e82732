"""Games: players, clocks, matches, reviews, PGN, openings, suites."""
