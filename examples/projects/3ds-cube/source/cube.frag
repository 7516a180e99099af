// Light of a lamp far away at each pixel: the lighting unit and one texture combiner.
#pragma pica200 range u_ambient 0 0.3
#pragma pica200 range u_diffuse 0 0.7
#pragma pica200 range u_shininess 1 20
precision mediump float;
varying vec3 v_normal;
varying vec3 v_eye;
varying vec2 v_texcoord;
uniform sampler2D u_texture;
uniform vec3 u_light; // the way to the lamp
uniform vec3 u_ambient;
uniform vec3 u_diffuse;
uniform vec3 u_specular;
uniform float u_shininess;

void main() {
    vec3 normal = normalize(v_normal);
    vec3 light = normalize(u_light);
    vec3 halfway = normalize(light + normalize(v_eye));
    vec3 diffuse = u_ambient + u_diffuse * max(dot(normal, light), 0.0);
    vec3 specular = u_specular * pow(max(dot(normal, halfway), 0.0), u_shininess);
    gl_FragColor = vec4(texture2D(u_texture, v_texcoord).rgb * diffuse + specular, 1.0);
}
