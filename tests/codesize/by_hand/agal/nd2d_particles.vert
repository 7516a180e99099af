attribute vec4 position;
attribute vec2 uv;
attribute vec4 life;  // birth, duration, size at the start and at the end
attribute vec4 motion;  // velocity, place
attribute vec4 startColor, endColor;
uniform mat4 clipSpace;
uniform float currentTime;
uniform vec2 gravity;
varying vec2 vUv;
varying vec4 vColor;

void main() {
    float progress = clamp(fract((currentTime - life.x) / life.y), 0.0, 1.0);
    vec2 velocity = (motion.xy + gravity * progress) * progress;
    float size = life.z * (1.0 - progress) + life.w * progress;
    vec4 place = position;
    place.xy = place.xy * size + motion.zw + velocity;
    gl_Position = clipSpace * place;
    vUv = uv;
    vColor = startColor * (1.0 - progress) + endColor * progress;
}
