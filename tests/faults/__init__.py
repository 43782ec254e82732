"""Bad input for everything public: tables by room, who gets it (`functions`), and the tests."""
