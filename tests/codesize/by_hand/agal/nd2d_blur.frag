precision mediump float;
varying vec2 vUv;
uniform sampler2D image;
uniform vec4 multiplier, offset, weights;
uniform vec3 middleAndSteps;

void main() {
    vec2 uv = vUv;
    uv.x -= middleAndSteps.y;
    vec4 sum = texture2D(image, uv) * weights.x;
    uv.x += middleAndSteps.z;
    sum += texture2D(image, uv) * weights.y;
    uv.x += middleAndSteps.z;
    sum += texture2D(image, uv) * weights.z;
    uv.x += middleAndSteps.z;
    sum += texture2D(image, uv) * weights.w;
    uv.x += middleAndSteps.z;
    sum += texture2D(image, uv) * middleAndSteps.x;
    uv.x += middleAndSteps.z;
    sum += texture2D(image, uv) * weights.w;
    uv.x += middleAndSteps.z;
    sum += texture2D(image, uv) * weights.z;
    uv.x += middleAndSteps.z;
    sum += texture2D(image, uv) * weights.y;
    uv.x += middleAndSteps.z;
    sum += texture2D(image, uv) * weights.x;
    gl_FragColor = sum * multiplier + offset;
}
