"""Host code: what the forms of the family's targets share."""
