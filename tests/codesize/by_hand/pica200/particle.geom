#pragma geometry(fixed, vertices = 4)

attribute vec4 attrib[4], row0[4], row1[4], row2[4], row3[4];
uniform vec4 param, randParam, randSeed, uvCoords[2];
uniform bool multiplyW, randSphere, noRespawn;
varying vec4 color, texcoord0;

vec4 bezier(vec4 a, vec4 b, vec4 c, vec4 d, float t, float s) {
    vec4 ab = a * s + b * t, bc = b * s + c * t, cd = c * s + d * t;
    return (ab * s + bc * t) * s + (bc * s + cd * t) * t;
}

vec4 control(int i, vec3 r) {
    return gl_PositionIn[i] + vec4(dot(row0[i].xyz, r), dot(row1[i].xyz, r), dot(row2[i].xyz, r), dot(row3[i].xyz, r));
}

void corner(vec4 position, float opacity, vec2 uv) {
    gl_Position = position;
    color = vec4(opacity);
    texcoord0 = uv.xyyy;
    EmitVertex();
}

void main() {
    vec4 state = randSeed;
    for (float left = param.x; left > 0.0; left -= 1.0) {
        vec4 r;
        bool accepted;
        do {
            vec4 next = state * randParam.x + randParam.y;
            state = next - floor(randParam.w * next) * randParam.z;
            r = clamp(randParam.w * state, 0.0, 1.0);
            r.xyz = 2.0 * r.xyz - 1.0;
            accepted = !randSphere || dot(r.xyz, r.xyz) <= 1.0;
        } while (!accepted);
        float t = param.y * (param.z * r.w + param.w);
        if (noRespawn) {
            if (t < 0.0 || t > 1.0) continue;
        } else
            t = fract(t);
        float s = 1.0 - t;
        vec4 p = bezier(control(0, r.xyz), control(1, r.xyz), control(2, r.xyz), control(3, r.xyz), t, s);
        vec4 a = bezier(attrib[0], attrib[1], attrib[2], attrib[3], t, s);
        if (multiplyW) a.xy *= p.w;
        vec4 d = a.xyzz, e = vec4(-a.x, a.yzz);
        corner(p - d, a.w, uvCoords[0].xy);
        corner(p - e, a.w, uvCoords[0].zw);
        corner(p + e, a.w, uvCoords[1].xy);
        corner(p + d, a.w, uvCoords[1].zw);
        EndPrimitive();
    }
}
