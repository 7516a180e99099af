"""THEIA: the ray tracing GPU of OpenCores, in the versions trunk and icarus."""
