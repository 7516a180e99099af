"""Passes over local variables: values in place of memory."""
