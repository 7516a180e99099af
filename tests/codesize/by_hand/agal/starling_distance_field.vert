attribute vec4 position;
attribute vec2 uv;
attribute vec4 color;
attribute vec4 basic;  // threshold, alpha, softness, local scale
attribute vec4 extended;  // outer threshold, outer alpha at the end, offset of the shadow
attribute vec4 outerColor;
uniform mat4 mvp;
uniform vec4 alpha;
uniform vec4 scales;  // size of the texture in points, range of scales, global scale
varying vec2 vUv;
varying vec4 vColor, vBasic, vExtended, vOuterColor, vThresholds;

void main() {
    gl_Position = mvp * position;
    vUv = uv;
    vColor = color * (basic.y * alpha);
    float visible = alpha.w * color.w;
    vBasic = basic;
    vExtended = vec4(extended.x, extended.y * visible, extended.zw);
    vOuterColor = vec4(outerColor.xyz, outerColor.w * visible);
    float softness = basic.z / (basic.w * scales.z * scales.w);
    vThresholds = clamp(vec4(basic.x - softness, basic.x + softness, extended.x - softness, extended.x + softness), 0.0, 1.0);
}
