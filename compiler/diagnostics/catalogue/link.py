"""Messages about a pair of stages: varyings, uniforms and locations that must match (E05xx, W05xx)."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.catalogue.registry import error, warning

VARYING_NOT_WRITTEN_BY_VERTEX_STAGE = error(
    "E0501",
    "varying '{name}' is read by the fragment stage but the vertex stage does not declare it",
    """
    A varying that the fragment shader uses must be declared in the vertex shader with the same type
    (GLSL ES 1.00 section 4.3.5).

        // fragment shader
        varying vec2 uv;      // error unless the vertex shader has 'varying vec2 uv;' as well
    """,
)

VARYING_TYPE_MISMATCH = error(
    "E0502",
    "varying '{name}' is {found} here but {expected} in the vertex stage",
    """
    The type and array size of a varying must be the same in both shaders; the precision may differ
    (GLSL ES 1.00 section 4.3.5).

        varying vec2 uv;      // vertex shader
        varying vec3 uv;      // fragment shader: error
    """,
)

VARYING_INVARIANCE_MISMATCH = error(
    "E0503",
    "varying '{name}' is {found} here but {expected} in the vertex stage",
    """
    A varying declared in both shaders must be invariant in both or in neither (GLSL ES 1.00 section 4.6.4).
    '#pragma STDGL invariant(all)' in the vertex shader makes all its varyings invariant.

        invariant varying vec4 v;      // vertex shader
        varying vec4 v;                // fragment shader: error
    """,
)

INPUT_INVARIANCE_MISMATCH = error(
    "E0504",
    "{name} is invariant here but {source} is not in the vertex stage",
    """
    gl_FragCoord can be invariant only where gl_Position is, and gl_PointCoord only where gl_PointSize is
    (GLSL ES 1.00 section 4.6.4).

        invariant gl_FragCoord;        // fragment shader: error unless the vertex shader has
                                       // 'invariant gl_Position;'
    """,
)

UNIFORM_TYPE_MISMATCH = error(
    "E0505",
    "uniform '{name}' is {found} here but {expected} in the vertex stage",
    """
    Uniforms of one name are one variable in both shaders, so their types must agree. Structures agree when
    they have the same name and the same members in the same order (GLSL ES 1.00 sections 4.2.4 and 4.3.4).

        uniform float scale;      // vertex shader
        uniform vec2 scale;       // fragment shader: error
    """,
)

UNIFORM_PRECISION_MISMATCH = error(
    "E0506",
    "uniform '{name}' has precision {found} here but {expected} in the vertex stage",
    """
    A uniform that both shaders use must have the same precision in both (GLSL ES 1.00 section 4.3.4).
    Without a qualifier it is the default precision, which is highp for float in vertex shaders. Members of uniform
    blocks may differ (GLSL ES 3.20 section 9.2.1).

        uniform float time;                // vertex shader: highp
        precision mediump float;
        uniform float time;                // fragment shader: error; write 'uniform highp float time;'
    """,
)

LOCATION_MISMATCH = error(
    "E0507",
    "varying '{name}' has location {found} here but {expected} in the vertex stage",
    """
    A varying whose location is pinned in both shaders must have the same location in both.

        layout(location = 1) varying vec2 uv;      // vertex shader
        layout(location = 2) varying vec2 uv;      // fragment shader: error
    """,
)

LOCATION_OVERLAP = error(
    "E0508",
    "{storage} '{name}' overlaps '{other}' at location {location}",
    """
    Pinned variables must not share a location. An array takes one location for each element, a matrix one for
    each column.

        layout(location = 0) varying mat3 m;      // takes locations 0, 1 and 2
        layout(location = 2) varying vec2 uv;     // error
    """,
)

VARYING_NEVER_WRITTEN = warning(
    "W0511",
    "unwritten-varying",
    "varying '{name}' is read by the fragment stage but the vertex stage never writes it",
    """
    The vertex shader declares the varying, which is enough to link (GLSL ES 1.00 section 4.3.5), but nothing that
    its main reaches writes it: what the fragment shader reads is undefined.

        varying vec2 uv;      // vertex shader
        void main() { gl_Position = position; }
    """,
)

VARYING_INTERPOLATION_MISMATCH = error(
    "E0520",
    "'{name}' is {found} here but {expected} in the vertex stage",
    """
    How a value is interpolated between stages is declared alike in both (GLSL ES 3.00 section 4.3.9).

        flat out float shade;      // vertex shader
        in float shade;            // fragment shader: error
    """,
)

LANGUAGE_MISMATCH = error(
    "E0524",
    "one stage is in {language}, the other is not",
    """
    Shaders in GLSL ES 3.00 are linked only with each other (GLSL ES 3.00 section 3.4). Write '#version 300 es' in
    the first line of both; 'glslc-multi port' rewrites a shader.
    """,
)

UNIFORM_DEFAULT_MISMATCH = error(
    "E0523",
    "the initializer of uniform '{name}' is another one in the vertex stage",
    """
    A uniform is one variable for both shaders. One of them may leave its initializer out, but where both have one,
    they are equal (GLSL 1.20 section 4.3.5).

        uniform float scale = 1.0;      // vertex shader
        uniform float scale = 2.0;      // fragment shader: error
    """,
)

BLOCK_MISMATCH = error(
    "E0521",
    "the uniform block '{name}' is another one in the vertex stage: {difference}",
    """
    Uniform blocks of one name are one buffer for both shaders: their members have the same names, types and layouts in
    the same order, and both blocks have an instance name or none (GLSL ES 3.00 section 4.3.7).
    """,
)

BLOCK_OWNER = error(
    "E0522",
    "'{name}' is a uniform here but a member of the block '{block}' in the other stage",
    """
    Members of a block without an instance name are uniforms by their own names: the other shader cannot have another
    uniform of that name (GLSL ES 3.00 section 4.3.7).
    """,
)

UNIFORM_ELSEWHERE = error(
    "E0525",
    "'{name}' is a uniform here and something else in the vertex stage",
    """
    Where the target interpolates little, arithmetic on varyings moves to the vertex shader, with the uniforms that it
    reads. An attribute of the same name is in the way:

        attribute vec2 offset;                                  // vertex shader
        uniform vec2 offset;                                    // fragment shader
        gl_FragColor = texture2D(u_map, v_uv + offset);

    Rename one of them.
    """,
)

PRIMITIVE_INPUT_NOT_WRITTEN = error(
    "E0509",
    "geometry shader input '{name}' is no varying of the vertex stage",
    """
    For each vertex, a geometry shader gets the varyings of the vertex shader, by name:

        varying vec4 v_color;           // vertex shader
        attribute vec4 v_color[3];      // geometry shader
    """,
)

PRIMITIVE_INPUT_MISMATCH = error(
    "E0510",
    "geometry shader input '{name}' has {found} for each vertex but is {expected} in the vertex stage",
    """
    An element of a geometry shader's input has the type of the vertex shader's varying, which cannot be an array:

        varying vec2 v_uv;              // vertex shader
        attribute vec4 v_uv[3];         // geometry shader: error
    """,
)
