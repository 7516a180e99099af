attribute vec4 q; uniform vec4 k; varying vec4 c;
void main() { gl_Position = q; vec4 l = k; float s = dot(q.xyz, k.xyz); if (s > 0.0) l += pow(s, k.w); c = l; }
