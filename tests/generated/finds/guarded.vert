attribute vec4 q; uniform vec4 k;
void main() { gl_Position = vec4(q.x > 0.0 ? pow(q.x, k.y) : 0.0, q.y < 0.0 ? 1.0 : sqrt(q.y), q.zw); }
