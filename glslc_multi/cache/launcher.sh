#!/bin/sh
''':'
# The command glslc-multi, which an installer puts beside its Python script, glslc-multi.py.  It starts the compiler as
# the script would, but without what Python does for installed packages before it runs a line (`-S`): a run that the
# cache replays needs none of it.  Where anything is unusual, the script runs.
self=$0
while [ -L "$self" ]; do
    target=$(readlink "$self")
    case $target in
        /*) self=$target ;;
        *) self=${self%/*}/$target ;;
    esac
done
# A shell on Windows takes this for the command, though installers put glslc-multi.exe beside it instead of the script.
[ -f "$self.exe" ] && exec "$self.exe" "$@"
# The first line of the script names the Python that it was installed for.
read -r python < "$self.py" && python=${python#"#!"}
case ${python##*/} in
    python*) [ -x "$python" ] && exec "$python" -SP "$self" "$@" ;;
esac
exec "$self.py" "$@"
'''
# From here on Python reads.
import sys

sys.path.append("%s/lib/python%d.%d/site-packages" % (__file__.rsplit("/", 2)[0], *sys.version_info[:2]))
try:
    from glslc_multi.entry import main
except ModuleNotFoundError:
    # Installed in place, or in folders that are arranged otherwise.
    import site

    site.main()
    from glslc_multi.entry import main
# A process that another one has spawned to share its work reads this too.
if __name__ == "__main__":
    main()
