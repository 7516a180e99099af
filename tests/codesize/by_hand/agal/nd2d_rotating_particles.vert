attribute vec4 position;
attribute vec4 uvAndCorner;
attribute vec4 life;  // age, duration, rotation, its speed
attribute vec3 velocity;
attribute vec4 color;
uniform mat4 clipSpace;
varying vec4 vColor;
varying vec2 vUv;
varying float vAlive;

void main() {
    float angle = life.z + life.x * life.w;
    float s = sin(angle), c = cos(angle);
    vec2 corner = uvAndCorner.zw;
    vec4 place = position;
    place.xy += vec2(c * corner.x - s * corner.y, c * corner.y + s * corner.x) + life.x * velocity.xy;
    float alive = float(life.x < life.y);
    gl_Position = clipSpace * place * alive;
    vAlive = alive - 0.5;
    vColor = color;
    vUv = uvAndCorner.xy;
}
