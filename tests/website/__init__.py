"""Tests of the site that `make site` builds."""
