"""What the site and the API share of HTTP: dependencies, limits, markdown, metrics."""
