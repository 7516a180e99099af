"""What the standalone executable runs: the command, or in a process of its own a module, as `child.py` starts it."""

import multiprocessing
import runpy
import sys

if __name__ == "__main__":
    multiprocessing.freeze_support()
    if sys.argv[1:3] == ["-P", "-m"] and len(sys.argv) > 3:
        module = sys.argv[3]
        del sys.argv[1:4]
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    else:
        from glslc_multi.entry import main

        main()
