// The lighting unit of the PICA200, for fragment shaders.
//
// Either the host sets it up, lights, materials and tables: the two colours that it yields are picaPrimary() and
// picaSecondary().  On other machines these are varyings like any other, which a vertex shader can write under their
// names.  Or the shader lights its pixels, and is compiled to the unit: the other functions are what it can do.
#ifndef PICA200_GLSL
#define PICA200_GLSL

#if __VERSION__ <= 120
#define PICA_INPUT varying
#else
#define PICA_INPUT in
#endif
#ifdef GL_ES
#define PICA_PRECISION mediump
#define PICA_EXACT highp
#else
#define PICA_PRECISION
#define PICA_EXACT
#endif

PICA_INPUT PICA_PRECISION vec4 pica_primary;
PICA_INPUT PICA_PRECISION vec4 pica_secondary;

// Ambient and diffuse light, and specular light, 0 to 1. These are no functions: one that nobody calls would still read
// a varying, which a vertex shader has to write.
#define picaPrimary() pica_primary
#define picaSecondary() pica_secondary

// How bright a lamp is: 1 beside it, less along the way to it, and from `most` on what it is there.
PICA_EXACT float picaFading(PICA_EXACT vec3 way, PICA_EXACT float slope, PICA_EXACT float square, PICA_EXACT float most) {
    PICA_EXACT float far = min(length(way), most);
    return 1.0 / (1.0 + slope * far + square * far * far);
}

// How bright a spot is that shines along a unit vector: 1 inside of a cone, 0 outside of another one, by the cosines of
// their angles. `light` is the direction to the lamp.
PICA_EXACT float picaSpot(PICA_EXACT vec3 light, PICA_EXACT vec3 along, PICA_EXACT float inner, PICA_EXACT float outer) {
    return smoothstep(outer, inner, dot(light, -along));
}

// In the place of dot(reflect(-light, normal), view): the same where the normal is in the plane of the two others, less
// beside it. All are unit vectors.
PICA_EXACT float picaReflected(PICA_EXACT vec3 normal, PICA_EXACT vec3 light, PICA_EXACT vec3 view) {
    PICA_EXACT float cosine = max(dot(normal, normalize(light + view)), 0.0);
    return 2.0 * cosine * cosine - 1.0;
}

#undef PICA_INPUT
#undef PICA_EXACT
#undef PICA_PRECISION
#endif
