precision mediump float;
varying vec3 v_normal;
varying vec3 v_eye;
varying vec2 v_texcoord;
uniform sampler2D u_texture;
uniform vec3 u_light;
uniform vec3 u_ambient;
uniform float u_shininess;

void main() {
    vec3 normal = normalize(v_normal);
    vec3 light = normalize(u_light);
    vec3 halfway = normalize(light + normalize(v_eye));
    float diffuse = max(dot(normal, light), 0.0);
    float specular = pow(max(dot(normal, halfway), 0.0), u_shininess);
    vec4 base = texture2D(u_texture, v_texcoord);
    gl_FragColor = vec4(base.rgb * (u_ambient + diffuse) + specular, base.a);
}
