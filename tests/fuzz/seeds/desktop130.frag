#version 130
uniform sampler2DArray layers;
uniform sampler1D ramp;
in vec2 spot;
flat in int layer;
noperspective in float height;
out vec4 colour;
void main() {
    uint bits = uint(layer) << 2u;
    colour = texture(layers, vec3(spot, layer)) + texture1D(ramp, height) + vec4(bits);
}
