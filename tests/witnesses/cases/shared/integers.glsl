//: lowering.integer_bits: mask of constant bits
#version 300 es
uniform int n;
in vec4 a;
out vec4 r;
void main() {
    int i = clamp(int(a.y * 4.0), -8, 8);
    uint k = uint(i + 11);
    r = vec4(float(k >> 2), float(i >> 1), float((i & 6) + (n & -4)), float(n & 5));
    gl_Position = vec4(0.0);
}

//: lowering.integer_bits: shift by a value
#version 300 es
uniform int n;
in vec4 a;
out vec4 r;
void main() {
    int i = clamp(int(a.y * 4.0), -8, 8), by = n & 7;
    r = vec4(float(5 << by), float(i * 9 >> by), float(i << (n & 3)), float(uint(i + 200) >> by));
    gl_Position = vec4(0.0);
}

//: lowering.integer_bits: bits of two values
#version 300 es
uniform int n;
in vec4 a;
out vec4 r;
void main() {
    // The last two may both be negative.
    int i = clamp(int(a.y * 4.0), -8, 7), k = clamp(n, -3, 3);
    r = vec4(float(i + 8 & n), float((i & 7) | n), float(i & k), float(i ^ k));
    gl_Position = vec4(0.0);
}

//: lowering.integer_bits: or of parts without common bits
//: size pica200 17
//: size agal 23
//: size adreno 13
#version 300 es
uniform int n;
in vec4 a;
out vec2 r;
void main() {
    int i = clamp(int(a.y * 4.0), -8, 7);
    r = vec2(float(i << 3 | n & 7), float((i & 7) << 4 ^ (n & 15)));
    gl_Position = vec4(0.0);
}

//: lowering.integer_bits: remainder of a division
#version 300 es
uniform int n;
in vec4 a;
out vec3 r;
void main() {
    int i = clamp(int(a.y * 4.0), -8, 8) + 8;
    uint k = uint(n & 15);
    r = vec3(float(i % 5), float(uint(i) % 3u * k), float(77 % (i + 1)));
    gl_Position = vec4(0.0);
}
