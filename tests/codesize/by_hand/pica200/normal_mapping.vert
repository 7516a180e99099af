attribute vec3 position;
attribute vec4 inTexcoord;
attribute vec3 inNormal, inTangent;
uniform mat4 projection, modelView;
varying vec4 texcoord0, texcoord1, color, view, normalquat;

void main() {
    vec4 eye = modelView * vec4(position, 1.0);
    gl_Position = projection * eye;
    view = -eye;
    texcoord0 = inTexcoord;
    texcoord1 = inTexcoord;
    vec3 n = (modelView * vec4(inNormal, 0.0)).xyz;
    vec3 t = (modelView * vec4(inTangent, 0.0)).xyz;
    float shorten = inversesqrt(dot(n, n));
    n *= shorten;
    t *= shorten;
    vec3 b = cross(n, t);
    t = cross(b, n);

    // The quaternion of the matrix (t, b, n), by its largest component.
    vec4 q;
    if (n.z <= 0.0) {
        if (t.x >= b.y)
            q = vec4(1.0 + t.x - b.y - n.z, t.y + b.x, t.z + n.x, b.z - n.y);
        else
            q = vec4(t.y + b.x, 1.0 - t.x + b.y - n.z, b.z + n.y, n.x - t.z);
    } else {
        if (t.x <= -b.y)
            q = vec4(t.z + n.x, b.z + n.y, 1.0 - t.x - b.y + n.z, t.y - b.x);
        else
            q = vec4(b.z - n.y, n.x - t.z, t.y - b.x, 1.0 + t.x + b.y + n.z);
    }
    normalquat = normalize(q);
    color = vec4(1.0);
}
