"""The paste box, and the page that answers it."""
