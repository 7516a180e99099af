"""The fragment stage: six texture combiners, alpha test, fog, lighting and texture units, as tables."""
