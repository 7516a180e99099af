"""Messages about what a target cannot hold or cannot do, with the need and the limit (E07xx, W07xx).

A program that is too large leads to exit status 3; a construct that the hardware cannot express is an
error of the shader for that target and leads to exit status 1.
"""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.catalogue.registry import error, warning

RESOURCE_EXCEEDED = error(
    "E0701",
    "needs {need} {what}, {target} has {limit}",
    """
    The shader is correct, but the target has fewer registers, constants, instruction slots or other resources
    than it needs. The caret shows the place of the greatest need, the labels what is in use there.

        uniform vec4 bones[120];   // error on a target with 96 constant registers

    Use smaller arrays, fewer values that live at the same time, or split the work between the stages.
    """,
    exit_status=3,
)

NOT_EXPRESSIBLE = error(
    "E0702",
    "{target} cannot express {construct}",
    """
    The hardware of this target has no instruction for the construct, and no sequence of its instructions
    computes it. Other targets may have it.

        float d = dFdx(uv.x);      // error on a target whose fragment stage has no derivatives
    """,
)

SHADER_TOO_LARGE = error(
    "E0703",
    "the shader takes more than {limit} operations",
    """
    Copying a structure or an array costs one operation for each of its parts, and a function with sampler
    parameters is translated once for each set of samplers it is called with, so a short text can need
    very many operations. So can functions that call others twice and more: every call becomes a copy of the
    function; and loops within loops on a target without loops, where every round becomes a copy. The caret shows where
    the limit was reached.

        float f(float a[60000]) { return a[0]; }
        float x = f(data) + f(data) + f(data) + f(data) + f(data);      // copies the array for every call

    Pass single elements instead of large arrays and structures, and call large functions fewer times.
    """,
)

FITS_NO_TARGET = error(
    "E0704",
    "the shader fits no target",
    """
    `--target all` found no machine that takes the shader. The table says by how much it misses each; compile for
    one of them to see the place in the shader.
    """,
    exit_status=3,
)

STATISTICS_GREW = error(
    "E0705",
    "{name} grew by {growth} % from {old} to {new}, {allowed} % is allowed",
    """
    `glslc-multi stats diff --max-growth` found a number that grew by more than is allowed.
    """,
)

NUMBER_OUT_OF_RANGE = error(
    "E0710",
    "the number {value} is outside of the range of {target}, {low} to {high}",
    """
    The target computes with fixed-point numbers, which have a smallest and a largest value.

        float limit = 100000.0;    // error on a target whose numbers end at 16384

    Scale the values of the shader so that they stay small, for example by measuring in larger units.
    """,
)

WRONG_SCENE_TYPE = error(
    "E0711",
    "'{name}' must be declared as {expected}, found {found}",
    """
    The name stands for a value that the chip computes itself, which has a type of its own.

        varying vec4 theia_Normal;     // error: a normal is a vec3
    """,
)

ALWAYS_OUT_OF_RANGE = error(
    "E0712",
    "the value always lies outside of the range of {target}, {low} to {high}",
    """
    The target computes with fixed-point numbers. Whatever the inputs are (-32 to 32 is assumed, lowp: -2 to 2), the
    value is larger than it can hold.

        float far = position.x + 20000.0;
    """,
)

NUMBER_VANISHES = warning(
    "W0710",
    "vanishing-number",
    "the number {value} becomes 0 on {target}",
    """
    The target computes with fixed-point numbers, whose smallest step is larger than twice this number.

        float epsilon = 0.000001;      // 0 on a target with 17 binary digits after the point
    """,
)

UNFED_INPUT = warning(
    "W0711",
    "unfed-input",
    "nothing on {target} writes '{name}'; it is read from register {register}",
    """
    The target has no vertex stage that could compute the varying. A host that runs the code itself, such as the
    simulator, loads the register before each pixel; on the chip it holds whatever was left there.

    Read a value that the chip has (see the target's README), or bind the name to one with --bind.
    """,
)

TEXTURE_LEVEL_IGNORED = warning(
    "W0713",
    "texture-level",
    "textures of {target} have one level; the level of detail is ignored",
    """
    The target's textures have no smaller levels (mipmaps), so a bias or a level of detail has no effect.

        gl_FragColor = texture2D(image, uv, 2.0);      // the bias has no effect
    """,
)

RANGE_LEFT = warning(
    "W0712",
    "range",
    "the value can leave the range of {target}, {low} to {high}",
    """
    The target computes with fixed-point numbers. With inputs of the assumed ranges (-32 to 32, lowp: -2 to 2) the
    value may become larger than it can hold, and then wraps around.

        float far = position.x * position.y * 100.0;

    Scale the values, clamp them, or tell the compiler what the inputs really hold.
    """,
)

INTEGER_INEXACT = error(
    "E0715",
    "the integer here may be {value}, and {target} holds integers exactly up to {limit} only",
    """
    The target has no integers: it computes with numbers that hold whole numbers exactly up to a limit, while the
    language promises 32 bits that wrap around. Where the ranges of values show that no result is beyond the limit, both
    are the same; here they do not show it. Ints of uniforms and attributes are taken to be within a smaller limit,
    which is in the target's README; what a float becomes by int() can be anything.

        uniform int n;
        int hash = n * 1103515245 + 12345;     // far beyond every float

    Bound the value (`clamp(n, 0, 255)`, `n & 255`, a loop with a constant bound), compute with floats, or take what
    comes with --inexact-integers.
    """,
)

INTEGER_MAY_BE_INEXACT = warning(
    "W0715",
    "inexact-integers",
    "the integer here may be {value}, and {target} holds integers exactly up to {limit} only",
    """
    As E0715, which --inexact-integers makes a warning: beyond the limit results are those of rounded floats.
    """,
)

INTEGER_SENT_BEYOND = error(
    "E0718",
    "the integer '{name}' may be {value}, and code for {target} expects up to {limit} from another stage",
    """
    The target has no integers. That every sum and product stays within what its numbers hold exactly is shown for ints
    of uniforms, attributes and varyings up to a smaller limit. Of linked shaders the vertex stage must keep to it where
    the fragment stage computes with the int; here its ranges do not show that it does. Numbers without a sign must not
    be negative on the way, as `u - 1u` may be.

        flat out int v_hash;
        v_hash = a_number * 1000;           // clamp(a_number, 0, 60) * 1000

    Bound the value (`clamp(n, 0, 255)`, `n & 255`), pass a float, or take what comes with --inexact-integers.
    """,
)

INTEGER_MAY_BE_BEYOND = warning(
    "W0718",
    "inexact-integers",
    "the integer '{name}' may be {value}, and code for {target} expects up to {limit} from another stage",
    """
    As E0718, which --inexact-integers makes a warning.
    """,
)

TEXTURE_STATE = error(
    "E0717",
    "the texture of sampler '{name}' must have {wanted}, or the code for {target} is not what '{function}' means",
    """
    The machine has no lookups of texels by number, and none with an offset: the code computes coordinates from the
    size of the texture, which the host tells as a uniform. That is right only for textures without mipmaps, and for
    texels by number with the filter `nearest`. Nor does the machine compare depths: the code looks one texel up and
    compares as `lequal` does, which is right only for textures with the filter `nearest` and this comparison. The
    register map says so under `host_state`.

        c = texelFetch(u_map, ivec2(3, 4), 0);     // u_map.filter: nearest, u_map.mipmaps: false
        d = texture(u_shadow, place);              // u_shadow.filter: nearest, u_shadow.compare: lequal
    """,
)

NOT_FLAT = warning(
    "W0716",
    "flat",
    "{target} interpolates all varyings: '{name}' is flat only if all vertices of a primitive have the same value",
    """
    The machine has no interpolation that takes the value of one vertex (`flat`, GLSL ES 3.00 section 4.3.9). Where all
    vertices of each triangle have the same value, there is no difference: ints are rounded to the nearest whole number.

        flat in int material;      // give the three vertices of a triangle the same one
    """,
)

# --- fixed texture combiners ------------------------------------------------------------------------------------------

COMBINER_STAGES = error(
    "E0720",
    "{what} in the {limit} combiner stages of {target}",
    """
    The machine has no fragment programs but a row of texture combiners, each of which computes one colour and one alpha
    of three operands, with one constant of its own. Every way to spread the shader over them was tried, or so many that
    the search was given up, which the notes say.

        x = clamp(x + u_d0, 0.0, 1.0) * u_k1;      // each of these lines takes a stage, and two constants

    Compute a part per vertex, merge constants, or leave something out.
    """,
    exit_status=3,
)

COMBINER_TEXTURES = error(
    "E0721",
    "{what}: {target} has {limit}",
    """
    Each sampler takes a texture unit, and one more for each further coordinate that it is read at. Directions of cube
    maps and coordinates that are divided, as by texture2DProj, are had in unit 0 alone.

    Put two images into one texture, or into the channels of one; read each at fewer places.
    """,
    exit_status=3,
)

COMBINER_COORDINATES = error(
    "E0722",
    "the texture coordinate is {construct}, and {target} takes coordinates from the vertex shader only",
    """
    Texture units get their coordinates from the rasteriser; nothing of the fragment stage can compute one. What is
    linear in varyings moves to the vertex shader when both stages are linked.

        texture2D(u_map, v_uv + texture2D(u_waves, v_uv).xy);       // error: a coordinate that depends on a texel

    Compute the coordinate in the vertex shader, on a mesh that is fine enough.
    """,
)

COMBINER_OPERATION = error(
    "E0723",
    "the combiners of {target} cannot compute {construct} for each pixel",
    """
    Combiners add, subtract, multiply, mix and clamp. All else can be had where it depends on uniforms alone, since the
    host computes that, or in the vertex shader.

        gl_FragColor.rgb = normalize(texture2D(u_normals, v_uv).xyz);       // error: a square root for each pixel
    """,
)

COMBINER_INPUT = error(
    "E0724",
    "'{name}' is no input of the combiners of {target}",
    """
    The fragment stage gets an interpolated colour, textures, and what the lighting unit computes; it knows neither the
    place of a pixel nor the side of its triangle. Depth reaches the fog unit alone, after all stages.

        gl_FragColor.rgb = mix(u_fog, base.rgb, exp2(-8.0 * gl_FragCoord.z));   // fog
        gl_FragColor.rgb = base.rgb * gl_FragCoord.w;                           // error

    x and y of gl_FragCoord are had in a linked shader, whose vertex shader passes them. Where w of gl_Position is 1.0,
    they are varyings like others; else they are divided by w, which only texture unit 0 does.

        gl_FragColor = texture2D(u_map, gl_FragCoord.xy / u_size);              // unit 0

    They count pixels of the render target as the machine draws it: the screens of a 3DS lie on their side, so that x
    goes to 240, and y to 400 on the upper one.
    """,
)

COMBINER_RANGE = error(
    "E0725",
    "{what} lies in {low} to {high}, and the combiners of {target} hold 0 to 1",
    """
    Between combiners numbers are bytes for 0 to 1, and whatever leaves that range is clamped. The compiler finds out
    where that changes nothing: sums that are clamped later anyhow, differences that can be reordered, halves that are
    doubled at the end. Here it does.

        vec3 d = a.rgb - b.rgb;             // -1 to 1
        gl_FragColor.rgb = d * c.rgb * d;   // used as a factor

    Uniforms and colours of vertices are taken to lie in 0 to 1; `#pragma pica200 range u_gain 0 4` promises other
    limits of a uniform.
    """,
)

COMBINER_VARYINGS = error(
    "E0726",
    "{what} do not fit: {target} interpolates {limit}",
    """
    What is interpolated for the combiners is one colour of four components; what is interpolated for texture
    coordinates reaches texture units only.

        varying vec4 v_diffuse, v_specular;
        gl_FragColor = texture2D(u_map, v_uv) * v_diffuse + v_specular;     // error: eight numbers

    Put one of them into a texture, or multiply them in the vertex shader.
    """,
    exit_status=3,
)

COMBINER_INEXACT = error(
    "E0727",
    "the result may differ by {bound} steps of 1/255, {allowed} are allowed",
    """
    Every stage rounds to a byte, and factors enlarge what was rounded before. The compiler computes by how much the
    result may differ from the text's meaning at most. `--max-error` allows more.
    """,
)

COMBINER_ROUGH = warning(
    "W0727",
    "rough",
    "the result may differ by {bound} steps of 1/255",
    """
    Every stage rounds to a byte, and factors enlarge what was rounded before. The compiler computes by how much the
    result may differ from the text's meaning at most, and warns above 8 steps; `--stats` has the number for every
    shader.
    """,
)

COMBINER_LIGHTS = warning(
    "W0729",
    "bright-lights",
    "lights may add up to {high}, and the lighting unit of {target} clamps its colours at 1",
    """
    The unit adds up all lights and clamps each of its two colours once. Where the shader does not clamp, the result is
    the same as long as the host's numbers add up to 1 at most, which the compiler takes on trust here.

        gl_FragColor.rgb = base.rgb * (u_ambient + u_diffuse * max(dot(n, l), 0.0));

    `#pragma pica200 range u_ambient 0 0.4` promises limits under which nothing is clamped; a clamp in the shader,
    `min(u_ambient + ..., 1.0)`, costs nothing.
    """,
)

COLOUR_RANGE = warning(
    "W0730",
    "colour-range",
    "'{name}' is read as a colour, and may be {range} at the vertices",
    """
    What is interpolated for the combiners is a colour: the machine takes the absolute value of each number at each
    vertex, and 1 for what is greater. Where the vertex shader that is linked does not show that the numbers lie in 0 to
    1, it may do something else than the text says.

        v_light = dot(a_normal, u_direction);               // may be negative
        v_light = max(dot(a_normal, u_direction), 0.0);     // still warned of: it may be above 1
        v_light = clamp(dot(a_normal, u_direction), 0.0, 1.0);

    A promise ends the warning, and numbers beyond 0 to 1 are scaled where one tells of them. Names that end in color
    or colour are such promises for attributes and varyings.

        #pragma pica200 range v_light 0 1
        #pragma pica200 range v_glow 0 2
    """,
)

COMBINER_SOFT_EDGE = warning(
    "W0731",
    "soft-edges",
    "an edge becomes a slope: tables of the lighting unit of {target} have 128 or 256 lines",
    """
    A function of a dot product is a table, between whose entries straight lines are drawn. Where the function jumps,
    the line of the jump rises from one side to the other.

        float band = dot(n, l) > 0.5 ? 1.0 : 0.4;       // between 0.5 and 0.508 something between 0.4 and 1

    The number that `--stats` tells of how far results may be off does not count these lines.
    """,
)

IMAGE_RANGE = warning(
    "W0732",
    "image-range",
    "'{name}' is the coordinate of a generated image, and is taken to lie in 0 to 1",
    """
    With `--images` a function of one or two interpolated numbers is an image, which the host makes for the limits that
    are promised of them. Beyond these the image's edge is read, without a promise beyond 0 to 1.

        #pragma pica200 range v_distance 0 50
    """,
)

IMAGE_EDGE = warning(
    "W0733",
    "image-edges",
    "an edge is moved to the next texel of a generated image: these have 256 texels, or 64 by 64",
    """
    With `--images` a function of one or two interpolated numbers is an image. Where the function jumps, the image does
    between two texels: at most half a texel beside the place, or as a slope from one to the other.

        gl_FragColor = fract(v_distance) < 0.5 ? u_dash : u_gap;

    The number that `--stats` tells of how far results may be off does not count edges.
    """,
)

BAD_DEPTH = error(
    "E0729",
    "'{text}' cannot be the depth of pixels: it is no varying float of this shader",
    """
    `#pragma pica200 depth NAME` promises that a varying is the depth of each pixel, 0 at the near plane and 1 at the
    far one, as `gl_FragCoord.z` is. Functions of it can be the table of the fog unit.

        #pragma pica200 depth v_depth
        varying float v_depth;
        gl_FragColor = vec4(mix(u_fog, colour.rgb, exp(-v_depth * 3.0)), colour.a);
    """,
)
BAD_RANGE = error(
    "E0728",
    "'{text}' is no range of a uniform: {problem}",
    """
    Ranges of uniforms are promised by `#pragma pica200 range NAME LOW HIGH` or by `--ranges NAME=LOW..HIGH,...`. The
    name is that of a uniform in the shader, and members of structures are spelled as in the register map.
    """,
)
