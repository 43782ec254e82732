"""Bad input for everything public: `values`, who gets them (`functions`), and the tests."""
