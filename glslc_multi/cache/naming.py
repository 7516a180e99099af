"""Which files a command line may read and write: a hit does no more, whatever the entry says.

An output is named by a word (`-o lit.bin`), or begins as the file that a word names, in its folder or the current one
(`lit.vert` becomes `lit.shbin`, and `lit.bin` has `lit.bin.json`, `lit.d` and `lit.vertex.bin`), or is in the folder
that `-o` names.  Runs with other outputs are not kept.
"""

from glslc_multi.cache.system import is_folder
from glslc_multi.compiler.own_files import read_file, split_path

#: Words before outputs, and before what a rule says that is made.
_BEFORE_OUTPUTS = ("-o", "--reflect", "-MF", "-MT", "-MQ")
#: What stands before a name in the same word.
_IN_ONE_WORD = ("", "-o", "-MF", "--reflect=")
#: Outputs that are made from standard input begin with this.
_STANDARD_INPUT = "stdin"
_MOST_WORDS = 1000


def words_of(arguments: list[str]) -> list[str]:
    """The arguments, and the words in response files; what these quote or nest is left out, so it names nothing."""
    words = list(arguments)
    for file in (word[1:] for word in arguments if word.startswith("@")):
        try:
            words += read_file(file).decode().split()
        except (OSError, ValueError):
            continue
    return words[:_MOST_WORDS]


def inputs_of(words: list[str]) -> list[str]:
    """The words that may be the names of inputs."""
    outputs = _outputs(words)
    return [word for word in words if word not in outputs]


def may_read(words: list[str], name: str) -> bool:
    """Whether the name is a word, or the value in one."""
    return any(word == name or word.endswith(f"={name}") for word in words)


def may_write(words: list[str], name: str) -> bool:
    """Whether the words name an output."""
    if name in words:
        return True
    directory = _split(name)
    words = [*words, _STANDARD_INPUT]
    stems = set(map(_stem, words))
    named = (word.removeprefix(before) for before in _IN_ONE_WORD for word in words if word.startswith(before))
    return any(_is_beside(directory, filled) for word in named for filled in _filled(word, name, stems)) or any(
        (folder.endswith("/") or is_folder(folder)) and _is_in(directory, folder) for folder in _outputs(words)
    )


def _outputs(words: list[str]) -> set[str]:
    return {words[at] for at in range(1, len(words)) if words[at - 1] in _BEFORE_OUTPUTS}


def _filled(pattern: str, name: str, stems: set[str]) -> set[str]:
    """What a pattern of `-o` may stand for: its {target} is one of the words that `name` is made of."""
    if "{" not in pattern:
        return {pattern}
    with_stems = {pattern.replace("{stem}", stem) for stem in stems}
    return {text.replace("{target}", target) for text in with_stems for target in _plain(name).split("_")}


def _is_beside(place: tuple[str, str], other: str) -> bool:
    folder, base = place
    beside, _ = _split(other)
    stem = _plain(_stem(other))
    same = _split(other) == place
    return same or (folder in (beside, "") and bool(stem.strip("_")) and _plain(base).startswith(f"{stem}_"))


def _is_in(place: tuple[str, str], folder: str) -> bool:
    around, base = place
    return around == "".join(_split(f"{folder}/")) and not base.startswith(".")


def _split(path: str) -> tuple[str, str]:
    """Folder and name, without empty parts and those that are `.`."""
    folder, name = split_path(path)
    parts = [part for part in folder.split("/") if part not in ("", ".")]
    return "/" * path.startswith("/") + "".join(f"{part}/" for part in parts), name


def _stem(path: str) -> str:
    """The name without folders and its last suffix."""
    name = split_path(path)[1]
    return name.rpartition(".")[0] or name


def _plain(text: str) -> str:
    """As names in C are made: all but letters and digits of ASCII are `_`."""
    return "".join(c if c.isascii() and c.isalnum() else "_" for c in text)
