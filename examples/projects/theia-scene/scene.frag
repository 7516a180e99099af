// A textured pyramid above a floor: one lamp, and fog where rays hit nothing.
precision mediump float;
varying vec3 theia_Normal;
varying vec3 theia_HitPosition;
varying vec2 theia_TexCoord;
varying vec3 theia_Diffuse;
varying float theia_Hit;
uniform sampler2D u_image;
uniform vec3 u_lamp;
uniform vec3 u_sky;
uniform float u_ambient;

void main() {
    vec3 colour = u_sky;
    if (theia_Hit > 0.0) {
        vec3 light = normalize(u_lamp - theia_HitPosition);
        float share = max(dot(theia_Normal, light), 0.0) + u_ambient;
        colour = texture2D(u_image, theia_TexCoord).rgb * theia_Diffuse * min(share, 1.0);
    }
    gl_FragColor = vec4(colour, 1.0);
}
