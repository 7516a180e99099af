"""The host back end: shaders as vector code for the computer that the compiler runs on."""
