"""Records of the GLSL corpora by way of SPIR-V: rewritten, compiled by others, read by our front end."""
