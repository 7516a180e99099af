"""`python -m glslc_multi`: the same as the command `glslc-multi`."""

from glslc_multi.entry import main

main()
