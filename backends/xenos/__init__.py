"""Xenos, the GPU of the Xbox 360, for programs that libxenon loads."""
