#version 300 es
precision highp float;
uniform mat2x3 wide;
uniform mat3 square;
in vec3 place;
centroid in vec2 corner;
out vec4 colour;
void main() {
    mat3x2 tall = transpose(wide);
    mat2 small = tall * wide;
    float size = determinant(square) + outerProduct(corner, place)[2].y;
    vec3 turned = inverse(square) * (wide * corner);
    vec2 whole;
    vec2 part = modf(corner * 8.0, whole);
    uint bits = packHalf2x16(part) ^ floatBitsToUint(size);
    bvec3 odd = isnan(turned);
    turned = mix(turned, vec3(trunc(size), round(size), roundEven(size)), odd);
    colour = vec4(unpackHalf2x16(bits), cosh(small[0][0]), tanh(turned.x) + sinh(turned.y) + acosh(2.0) + atanh(0.5));
    gl_FragDepth = clamp(size, 0.0, 1.0);
}
