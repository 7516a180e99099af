// The lighting unit of the PICA200, for fragment shaders: the two colours that it yields for each pixel.  Lights,
// materials and tables are the host's to set up.  On other machines the two are varyings like any other, which a vertex
// shader can write under their names.
#ifndef PICA200_GLSL
#define PICA200_GLSL

#if __VERSION__ <= 120
#define PICA_INPUT varying
#else
#define PICA_INPUT in
#endif
#ifdef GL_ES
#define PICA_PRECISION mediump
#else
#define PICA_PRECISION
#endif

PICA_INPUT PICA_PRECISION vec4 pica_primary;
PICA_INPUT PICA_PRECISION vec4 pica_secondary;

// Ambient and diffuse light, 0 to 1.
PICA_PRECISION vec4 picaPrimary() {
    return pica_primary;
}

// Specular light, 0 to 1.
PICA_PRECISION vec4 picaSecondary() {
    return pica_secondary;
}

#undef PICA_INPUT
#undef PICA_PRECISION
#endif
