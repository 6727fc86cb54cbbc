"""Engine, session and every query, one module per table family."""
