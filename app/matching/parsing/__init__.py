"""A paste to a report: its messages, frames, events and the first cause."""
