"""VC4 (VideoCore IV): the machine code of its QPUs."""
