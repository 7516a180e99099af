//: linearise: arm that can be skipped
//: linearise: value merged after an arm that was skipped
//: size 90
precision highp float;
varying vec4 a;
uniform float u;
void main() {
    vec4 s = a;
    if (a.x > u) s.y = pow(abs(a.y) + 1.0, a.z) * sin(a.w + 2.0) + cos(a.x) - pow(abs(a.w) + 2.0, u);
    gl_FragColor = s.wzyx;
}

//: size 154
precision highp float;
varying vec4 a;
uniform float u;
void main() {
    float s, t = a.w;
    if (a.x < u) {
        s = pow(abs(a.y) + 1.0, a.z) * sin(a.w + 2.0) - cos(a.x);
        t = s * a.x + sin(a.z);
    } else {
        s = pow(abs(a.z) + 2.0, a.y) - sin(a.x + 2.0) * cos(a.w);
        t -= s + cos(a.y) * a.z;
    }
    gl_FragColor = vec4(s, t, s - t, a.y);
}

//: linearise: first arm skipped before a second one
//: size 119
precision highp float;
varying vec4 a;
uniform float u;
void main() {
    float s = a.x, t = a.y;
    if (u < 0.5) {
        s = pow(abs(a.y) + 1.0, a.z) * sin(a.w + 2.0) + cos(a.x) * sin(u) - pow(abs(a.x) + 1.5, a.w);
    } else {
        t = a.z - a.w;
    }
    gl_FragColor = vec4(s, t, t * s, a.w);
}

//: size 117
precision highp float;
varying vec4 a;
uniform float u;
void main() {
    float s = a.x, t = a.y;
    if (a.y < a.z) {
        t += 1.5;
        if (a.x >= u) {
            s = pow(abs(a.y) + 1.0, a.z) * sin(a.w + 2.0) + cos(a.x) * sin(t) - pow(abs(a.x) + 1.5, a.w);
            t *= s;
        }
        s -= t;
    }
    gl_FragColor = vec4(s, t, t - s, a.w);
}

//: size 40
precision highp float;
varying vec4 a;
uniform int times;
void main() {
    vec4 s = a;
    for (int i = 0; i < 9; i++) {
        if (i > times) break;
        s = s.yzwx * 0.5 - a * float(i);
    }
    gl_FragColor = s;
}

//: size 28
precision highp float;
varying vec4 a;
void main() {
    float s = a.x, n = 0.0;
    for (int i = 0; i < 12; i++) {
        if (s > a.y + 2.0) break;
        s += abs(a.z) + 0.25;
        n += s * float(i);
    }
    gl_FragColor = vec4(s, n, a.w - n, s - a.x);
}

//: layout: branch over the next block inverted
//: linearise: value of the first exit that holds
//: size 57
precision highp float;
varying vec4 a;
uniform float u;
void main() {
    float s = a.x, n = a.y;
    for (int i = 0; i < 50; i++) {
        if (s > 3.0) { n = s - a.z; break; }
        s += 0.75;
        if (n < -4.0) { n = a.w * s; break; }
        n -= abs(u) + 0.25;
        if (s * n > 2.5) { n = 8.0; break; }
    }
    gl_FragColor = vec4(s, n, n - s, a.y);
}

//: size 39
precision highp float;
varying vec4 a;
uniform int times;
void main() {
    float s = a.x, n = 1.0;
    if (a.y > a.z) {
        for (int i = 0; i < 20; i++) {
            if (s > 4.0 || i > times + 5) break;
            s = s * 1.25 + 0.5;
            n += s;
        }
        n -= a.w;
    } else s -= 2.0;
    gl_FragColor = vec4(s, n, s * n, a.w);
}

//: linearise: loop left by all lanes at once
//: size 68
precision highp float;
varying vec4 a;
uniform int p, q;
uniform vec4 u;
void main() {
    float s = a.x;
    for (int i = 0; i < 6; i++) {
        if (i >= p) break;
        s += u.x * float(i);
        for (int j = 0; j < 7; j++) {
            if (j > q + i) break;
            s = s * 0.75 + u.w * float(j) - a.y;
        }
        if (s < -20.0) continue;
        s -= a.z;
    }
    gl_FragColor = vec4(s, -s, a.w, u.y);
}

//: size 27
precision highp float;
varying vec4 a;
uniform int p;
void main() {
    float x = a.x, y = a.y, t;
    for (int i = 0; i < 30; i++) {
        if (i >= p + 5) break;
        t = x;
        x = y * 0.5 + a.z;
        y = t - a.w * 0.25;
    }
    gl_FragColor = vec4(x, y, t, x - y);
}

//: layout: empty block gone
//: layout: jump to the next block gone
//: layout: position in the stream set again
//: linearise: arms one after the other
//: linearise: loop in an arm that is active in some lanes
//: linearise: loop left lane by lane
//: linearise: value of the last iteration after a loop
//: schedule.across_blocks: both sides of a copy in one register
//: schedule.strategy: blocks one by one
//: select: br
//: select: condbr(condition)
//: selection.conditions: opposite of a condition
//: size 53
precision highp float;
varying vec4 a;
uniform float u;
void main() {
    float s = -3.0, n = a.w;
    for (int i = 0; i < 40; i++) {
        if (s > 2.0 + a.x) break;
        if (a.x > float(i) - 2.0) { while (s < a.y) { s += 1.5; n = n * 0.5 - s; } }
        s += 0.25;
    }
    gl_FragColor = vec4(s, n, u, a.z);
}

//: size 63
attribute vec4 p;
attribute float which;
uniform int times;
varying vec4 v;
void main() {
    vec4 s = p;
    if (which > 0.25) for (int i = 0; i < 5; i++) { if (i > times) break; s += p.wzyx * float(i); }
    v = s - p;
    gl_Position = s;
}

//: size 139
precision highp float;
varying vec4 a;
uniform float u;
uniform int times;
void main() {
    float s = a.x;
    for (int i = 0; i < 9; i++) {
        if (i > times + 4) break;
        if (a.y < float(i) * 0.5) s += pow(abs(a.z) + 1.0, a.w) * sin(s) - cos(a.x + float(i)) * pow(abs(s) + 1.5, u);
        s = clamp(s, -2.0, 2.0);
    }
    if (s > a.w + 3.0) discard;
    gl_FragColor = vec4(s * 0.03125, a.zyw);
}

//: size 113
precision highp float;
varying vec4 a;
uniform bool on;
uniform float u;
void main() {
    float s = a.x;
    if (!on) s = pow(abs(a.y) + 1.0, a.z) * sin(a.w + 2.0) + cos(a.x) - pow(abs(a.w) + 2.0, u) * sin(a.z);
    gl_FragColor = vec4(s, a.yzw);
}

//: size 16
precision highp float;
varying vec4 a;
uniform bool off, on;
void main() {
    bool kept = !off;
    if (!on && a.x < 0.0) discard;
    gl_FragColor = vec4(kept ? a.x : a.y, kept, on ? a.z : 2.5, !on);
}

//: size 237
precision highp float;
varying vec4 a;
uniform vec4 u;
void main() {
    float s = a.x, t = a.z;
    if (a.y > u.y) {
        s = pow(abs(s) + 1.0, a.w) * sin(s) / (a.w + 4.0);
        s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z;
        s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z;
        s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z;
        s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z;
        s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z;
    }
    if (a.x > u.x) {
        t = pow(abs(t) + 1.0, a.z) * sin(t) / (a.w + 3.0);
        t -= a.w; t *= a.z; t -= a.w; t *= a.z; t -= a.w; t *= a.z; t -= a.w; t *= a.z; t -= a.w; t *= a.z;
        t -= a.w; t *= a.z; t -= a.w; t *= a.z; t -= a.w; t *= a.z; t -= a.w; t *= a.z; t -= a.w; t *= a.z;
        t -= a.w; t *= a.z; t -= a.w; t *= a.z; t -= a.w; t *= a.z; t -= a.w; t *= a.z; t -= a.w; t *= a.z;
        t -= a.w; t *= a.z; t -= a.w; t *= a.z; t -= a.w; t *= a.z; t -= a.w; t *= a.z; t -= a.w; t *= a.z;
        t -= a.w; t *= a.z; t -= a.w; t *= a.z; t -= a.w; t *= a.z; t -= a.w; t *= a.z; t -= a.w; t *= a.z;
        t -= a.w; t *= a.z; t -= a.w; t *= a.z; t -= a.w; t *= a.z; t -= a.w; t *= a.z; t -= a.w; t *= a.z;
    }
    gl_FragColor = vec4(s, t, a.zw);
}

//: linearise: arm that can be skipped
//: size 116
precision highp float;
varying vec4 a;
uniform vec4 u;
void main() {
    float s = a.x;
    if (a.y > u.y) {
        s = pow(abs(s) + 1.0, a.w) * sin(s) / (a.w + 4.0);
        s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z;
        s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z;
        s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z;
        s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z;
        s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w; s *= a.z; s -= a.w;
    }
    gl_FragColor = vec4(s, a.yzw);
}

//: linearise: loop that never ends, by a uniform condition that does not hold
precision highp float;
varying vec4 v;
uniform vec4 u;
void main() {
    vec4 c = v;
    if (u.x * u.x < -1.0) { for (;;) { c = c * 0.5; } }
    gl_FragColor = c * u.wzyx;
}
