"""The documentation as a site: `make site` builds it."""
