precision mediump float;
varying vec2 vUv;
varying vec4 vColor, vExtended, vOuterColor, vThresholds;
uniform sampler2D image;

float between(float low, float high, float x) {
    return clamp((x - low) / (high - low), 0.0, 1.0);
}

void main() {
    vec4 texel = texture2D(image, vUv);
    float distance = max(min(texel.x, texel.y), min(max(texel.x, texel.y), texel.z));
    float inner = between(vThresholds.x, vThresholds.y, distance);
    float outline = clamp(between(vThresholds.z, vThresholds.w, distance) - inner, 0.0, 1.0);
    float gradient = between(vThresholds.z, vThresholds.x, distance);
    float alpha = outline * (gradient * (vOuterColor.w - vExtended.y) + vExtended.y);
    gl_FragColor = vColor * inner + vec4(vOuterColor.xyz * alpha, alpha);
}
