precision mediump float;
varying vec2 vUv;
varying vec4 vColor;
varying float vIndex;
uniform sampler2D image0, image1, image2, image3, image4;

void main() {
    vec4 color = texture2D(image4, vUv);
    if (vIndex < 3.5) color = texture2D(image3, vUv);
    if (vIndex < 2.5) color = texture2D(image2, vUv);
    if (vIndex < 1.5) color = texture2D(image1, vUv);
    if (vIndex < 0.5) color = texture2D(image0, vUv);
    gl_FragColor = color * vColor;
}
