"""What pixels read beside the combiners: texture units, the vertices' colour, lighting, fog, generated images."""
