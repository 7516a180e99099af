#version 300 es
precision highp float;
precision highp int;
uniform uint seed;
uniform ivec4 shifts;
in vec2 place;
out vec4 colour;
uint mixed(uint x) { x ^= x >> 16; x *= 0x7FEB352Du; x ^= x >> 15; return x; }
void main() {
    uint hash = mixed(seed + uint(place.x * 256.0));
    int low = int(hash & 0xFFu) % 17;
    ivec4 parts = ivec4(low, ~low, low << 2, low | 3) & 15;
    parts <<= 1;
    parts %= ivec4(3, 5, 7, 11);
    uvec2 halves = uvec2(hash >> 24u, hash & 255u);
    colour = vec4(parts ^ 1) / 16.0 + vec4(vec2(halves), float(abs(shifts.x)), float(max(seed, 3u)));
}
