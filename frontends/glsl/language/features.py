"""What the language has, and since when: one row for each difference that is no word and no built-in name.

The texts on the right are sets of versions (see `versions.py`).
"""

from __future__ import annotations

FEATURES: dict[str, str] = {
    # types and values
    "uint": "300 130-",
    "integer bits": "300 130-",  # % & | ^ ~ << >>
    "exact integers": "300 130-",  # 32 bits, wrapping
    "non-square matrices": "300 120-",
    "implicit conversions": "120-",  # int to float, and uint to float
    "matrices of matrices": "100 300 120-",  # mat2(mat3(...))
    "float suffix": "300 120-",
    "octal and hexadecimal errors": "100 300",
    # arrays
    "indexed samplers": "100 110 120",  # by any index
    "array types": "300 120-",  # float[3], float[3](...), .length()
    "structures with arrays": "300 110-",  # are assigned and compared
    "array values": "300 120-",  # assignment, comparison, initializers, results
    "out arrays": "100 300 120-",  # as parameters
    "arrays without a size": "110-",  # get it later
    "embedded structures": "110",  # declared by a member of another one
    # declarations
    "attribute and varying": "100 110-",
    "in and out": "300 130-",
    "flat and smooth": "300 130-",
    "noperspective": "130-",
    "centroid": "300 120-",
    "integer interface": "300 130-",  # int attributes, flat int varyings
    "structures between stages": "300 150-",
    "nesting between stages": "150-",  # arrays and structures in them
    "flat integer outputs": "300",  # not only inputs have to be flat
    "unused uniforms agree": "300",
    "links with itself alone": "300",  # not with other versions
    "invariant inputs": "100 110-",
    "matching centroid": "120-",
    "input arrays": "150-",
    "uniform blocks": "300 140-",
    "interface blocks": "150-",  # in and out
    "input locations": "300 330-",
    "output locations": "300 330-",
    "any location": "100 110 120 130",  # our own: pins any variable, by any constant expression
    "constant sampler indices": "300 130-",
    "redeclared built-ins": "110-",
    "coordinate conventions": "150-",  # layouts of gl_FragCoord
    "uniform initializers": "120-",
    "any global initializer": "110-",
    "relaxed global initializers": "100",  # in WebGL 1
    "constant functions": "100 300 120-",  # calls of built-in functions are constant expressions
    "constant sequences": "100 110-",  # of constant expressions and commas
    "precision": "100 300",  # precision is asked for, and means something
    "repeated prototypes": "300 110-",
    "one scope of parameters and body": "300 120-",
    "redefined built-ins": "110-",
    "overloaded built-ins": "100 110-",
    # statements
    "switch": "300 130-",
    # fragment outputs
    "named outputs": "300 130-",
    "several outputs are pinned": "300",
    "gl_FragColor": "100 110-",
    # what WebGL 1 bounds (Appendix A)
    "bounded loops": "100",
    # preprocessor
    "line counts itself": "110 120 130 140 150",  # #line numbers its own line, not the next
    "token pasting": "130-",
    "undefined names are 0": "110-",  # in #if
    "characters count after macros": "300",  # section 3.1
    "late extensions": "110-",  # #extension after other text
    "version on the first line": "300",
}
