precision mediump float;
varying vec2 vUv, vNext, vPrevious, vNext2, vPrevious2;
uniform sampler2D image;
uniform vec3 weights;

void main() {
    gl_FragColor = texture2D(image, vUv) * weights.x
        + texture2D(image, vNext) * weights.y + texture2D(image, vPrevious) * weights.y
        + texture2D(image, vNext2) * weights.z + texture2D(image, vPrevious2) * weights.z;
}
