#version 300 es
precision highp float;
precision highp sampler3D;
precision highp sampler2DShadow;
precision highp sampler2DArray;
precision highp usampler2D;
uniform sampler2D flatMap;
uniform samplerCube sky;
uniform sampler3D volume;
uniform sampler2DShadow shadow;
uniform sampler2DArray layers;
uniform usampler2D numbers;
in vec3 place;
out vec4 colour;
void main() {
    vec4 sum = texture(flatMap, place.xy) + textureLod(sky, place, 1.0) + textureProj(flatMap, place);
    sum += textureGrad(flatMap, place.xy, dFdx(place.xy), dFdy(place.xy)) + texture(volume, place, 0.5);
    sum += textureOffset(flatMap, place.xy, ivec2(1, -1)) + texture(layers, place);
    sum += texelFetch(flatMap, ivec2(place.xy), 0) + vec4(texture(numbers, place.xy) % 5u);
    colour = sum * texture(shadow, place) + vec4(textureSize(flatMap, 0), vec2(0.0));
}
