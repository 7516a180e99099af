attribute vec4 position;
attribute vec3 normal;
attribute vec4 tangent;
attribute vec2 uv;
uniform mat4 projection;
uniform vec4 camera;
varying vec3 vTangent, vBinormal, vNormal;
varying vec4 vPosition, vView;
varying vec2 vUv;

void main() {
    gl_Position = projection * position;
    vPosition = position;
    vView = vec4(camera.xyz - position.xyz, camera.w);
    vec3 b = cross(normal, tangent.xyz) * tangent.w;
    vTangent = vec3(tangent.x, b.x, normal.x);
    vBinormal = vec3(tangent.y, b.y, normal.y);
    vNormal = vec3(tangent.z, b.z, normal.z);
    vUv = uv;
}
