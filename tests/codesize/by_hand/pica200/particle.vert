attribute vec3 center;
attribute vec3 radius;
attribute vec4 inAttrib;
uniform mat4 projection, modelView;
varying vec4 attrib, row0, row1, row2, row3;

void main() {
    gl_Position = projection * (modelView * vec4(center, 1.0));
    attrib = inAttrib;
    vec3 x = modelView[0].xyz * radius.x;
    vec3 y = modelView[1].xyz * radius.y;
    vec3 z = modelView[2].xyz * radius.z;
    vec3 p0 = vec3(projection[0].x, projection[1].x, projection[2].x);
    vec3 p1 = vec3(projection[0].y, projection[1].y, projection[2].y);
    vec3 p2 = vec3(projection[0].z, projection[1].z, projection[2].z);
    vec3 p3 = vec3(projection[0].w, projection[1].w, projection[2].w);
    row0 = vec4(dot(p0, x), dot(p0, y), dot(p0, z), 0.0);
    row1 = vec4(dot(p1, x), dot(p1, y), dot(p1, z), 0.0);
    row2 = vec4(dot(p2, x), dot(p2, y), dot(p2, z), 0.0);
    row3 = vec4(dot(p3, x), dot(p3, y), dot(p3, z), 0.0);
}
