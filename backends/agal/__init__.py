"""AGAL, the shader byte code of Flash Player's and AIR's Stage3D."""
