"""Bad input for everything public: tables by room, the functions that get it (`functions`), and the tests."""
