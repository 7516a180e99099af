precision mediump float;
varying vec2 vUv, vMapUv;
uniform sampler2D image, map;
uniform mat4 displacement;
uniform vec2 mostUv;
uniform vec4 mapLimits;

void main() {
    vec4 shift = texture2D(map, clamp(vMapUv, mapLimits.xy, mapLimits.zw));
    float alpha = shift.a;
    shift -= 0.5;
    shift.xy *= alpha;
    vec2 uv = vUv + (displacement * shift).xy;
    gl_FragColor = texture2D(image, min(clamp(uv, 0.0, 1.0), mostUv));
}
