"""How good the content and the answers are: `errdex check`, `errdex eval`."""
