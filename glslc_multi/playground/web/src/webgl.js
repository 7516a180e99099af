// The shaders drawn by WebGL, with the mesh, the values and the texture that the simulators have, too.

// What is wrong, or "".
export function drawScene(canvas, scene, pictures, meshName) {
  const gl = canvas.getContext("webgl2", {preserveDrawingBuffer: true, antialias: false});
  if (!gl) return "this browser has no WebGL 2";
  const made = [];
  try {
    const program = link(gl, scene.texts, made), mesh = pictures.meshes[meshName];
    gl.useProgram(program);
    // Which attributes are arrays is kept with this picture, not with the next one.
    gl.bindVertexArray(keep(made, gl.createVertexArray(), array => gl.deleteVertexArray(array)));
    bindAttributes(gl, program, scene.attributes, mesh, made);
    bindUniforms(gl, program, scene.uniforms);
    bindTextures(gl, program, scene.samplers, pictures.texture, made);
    clear(gl, canvas);
    const triangles = keep(made, gl.createBuffer(), buffer => gl.deleteBuffer(buffer));
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, triangles);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(mesh.triangles), gl.STATIC_DRAW);
    gl.drawElements(gl.TRIANGLES, mesh.triangles.length, gl.UNSIGNED_SHORT, 0);
    const error = gl.getError();
    return error ? `WebGL: error ${error}` : "";
  } catch (problem) {
    clear(gl, canvas);
    return problem.message;
  } finally {
    for (const [thing, remove] of made) remove(thing);
  }
}

function keep(made, thing, remove) {
  made.push([thing, remove]);
  return thing;
}

function clear(gl, canvas) {
  gl.viewport(0, 0, canvas.width, canvas.height);
  gl.clearColor(0, 0, 0, 1);
  gl.enable(gl.DEPTH_TEST);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
}

function link(gl, texts, made) {
  const program = keep(made, gl.createProgram(), each => gl.deleteProgram(each));
  for (const [stage, text] of Object.entries(texts)) {
    const shader = keep(made, gl.createShader(stage === "vertex" ? gl.VERTEX_SHADER : gl.FRAGMENT_SHADER), each => gl.deleteShader(each));
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(`WebGL, ${stage} shader: ${gl.getShaderInfoLog(shader)}`);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(`WebGL: ${gl.getProgramInfoLog(program)}`);
  return program;
}

const WIDTH = {position: 3, normal: 3, colour: 3, uv: 2};

// An attribute takes a column of the mesh, or is the same everywhere.
function bindAttributes(gl, program, attributes, mesh, made) {
  for (const [name, source] of Object.entries(attributes)) {
    const place = gl.getAttribLocation(program, name);
    if (place < 0) continue;
    gl.disableVertexAttribArray(place);
    if (Array.isArray(source)) {
      gl.vertexAttrib4fv(place, source);
      continue;
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, keep(made, gl.createBuffer(), buffer => gl.deleteBuffer(buffer)));
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(mesh[source]), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, WIDTH[source], gl.FLOAT, false, 0, 0);
  }
}

function bindUniforms(gl, program, values) {
  const types = new Map();
  for (let number = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) - 1; number >= 0; number--) {
    const {name, type} = gl.getActiveUniform(program, number);
    types.set(name.replace(/\[0\]$/, ""), type);
  }
  for (const [name, numbers] of Object.entries(values)) {
    const place = gl.getUniformLocation(program, name);
    const type = types.get(name) ?? types.get(name.replace(/\[\d+\]$/, ""));
    if (place && SET[type]) SET[type](gl, place, numbers);
  }
}

const GL = WebGL2RenderingContext.prototype;
const matrix = size => (gl, place, numbers) => gl[`uniformMatrix${size}fv`](place, false, numbers);
const vector = (size, kind) => (gl, place, numbers) => gl[`uniform${size}${kind}v`](place, numbers);
const SET = {
  [GL.FLOAT]: vector(1, "f"), [GL.FLOAT_VEC2]: vector(2, "f"), [GL.FLOAT_VEC3]: vector(3, "f"), [GL.FLOAT_VEC4]: vector(4, "f"),
  [GL.INT]: vector(1, "i"), [GL.INT_VEC2]: vector(2, "i"), [GL.INT_VEC3]: vector(3, "i"), [GL.INT_VEC4]: vector(4, "i"),
  [GL.BOOL]: vector(1, "i"), [GL.BOOL_VEC2]: vector(2, "i"), [GL.BOOL_VEC3]: vector(3, "i"), [GL.BOOL_VEC4]: vector(4, "i"),
  [GL.UNSIGNED_INT]: vector(1, "ui"), [GL.UNSIGNED_INT_VEC2]: vector(2, "ui"), [GL.UNSIGNED_INT_VEC3]: vector(3, "ui"),
  [GL.UNSIGNED_INT_VEC4]: vector(4, "ui"),
  [GL.FLOAT_MAT2]: matrix(2), [GL.FLOAT_MAT3]: matrix(3), [GL.FLOAT_MAT4]: matrix(4),
};

// Image kind -> where a texture of it is bound, and the targets that its image is put into.
const KINDS = {
  "2d": [GL.TEXTURE_2D, [GL.TEXTURE_2D]],
  cube: [GL.TEXTURE_CUBE_MAP, [0, 1, 2, 3, 4, 5].map(face => GL.TEXTURE_CUBE_MAP_POSITIVE_X + face)],
};

// Every sampler has the chequered texture.
function bindTextures(gl, program, samplers, {size, texels}, made) {
  const image = new Uint8Array(texels.flatMap(texel => [...texel, 255]));
  Object.entries(samplers).forEach(([name, kind], unit) => {
    if (!KINDS[kind]) throw new Error(`no texture of the kind ${kind} is drawn here by WebGL`);
    const [where, faces] = KINDS[kind];
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(where, keep(made, gl.createTexture(), texture => gl.deleteTexture(texture)));
    for (const face of faces) gl.texImage2D(face, 0, gl.RGBA, size, size, 0, gl.RGBA, gl.UNSIGNED_BYTE, image);
    for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(where, side, gl.LINEAR);
    const place = gl.getUniformLocation(program, name);
    if (place) gl.uniform1i(place, unit);
  });
}
