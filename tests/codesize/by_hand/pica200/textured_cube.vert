attribute vec3 position;
attribute vec4 inTexcoord;
attribute vec3 normal;
uniform mat4 projection, modelView;
uniform vec3 lightVec, lightHalfVec;
uniform vec4 lightColor, ambient, diffuse, specular, emission;
varying vec4 texcoord0;
varying vec4 color;

void main() {
    gl_Position = projection * (modelView * vec4(position, 1.0));
    texcoord0 = inTexcoord;
    vec3 n = normalize((modelView * vec4(normal, 0.0)).xyz);
    float lit = max(0.0, -dot(lightVec, n));
    float shine = max(0.0, dot(-lightHalfVec, n));
    shine *= shine;
    vec4 sum = emission + lightColor * shine * specular + lightColor * lit * diffuse + lightColor * ambient;
    color = min(sum, 1.0);
}
