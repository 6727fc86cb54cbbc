"""How what people know becomes an entry: proposals, reviews, revisions, feedback."""
