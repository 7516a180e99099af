"""Adreno A2xx, the shader unit of mobile GPUs with 96-bit instructions."""
