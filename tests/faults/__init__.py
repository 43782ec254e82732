"""Bad input for everything public: tables by room, its functions (`functions`), the tests."""
