"""Host code for the Xbox 360: loaders that a program for the console is built with."""
