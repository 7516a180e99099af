// Draws one point with two shaders; null, or what is wrong: [rule, text].

const gl = document.querySelector("canvas").getContext("webgl");

function compile(type, text) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    return shader;
}

// Samplers of different kinds cannot share a unit.
function separateSamplers(program) {
    for (let index = 0, unit = 0; index < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); index++) {
        const uniform = gl.getActiveUniform(program, index);
        if (uniform.type == gl.SAMPLER_2D || uniform.type == gl.SAMPLER_CUBE)
            gl.uniform1i(gl.getUniformLocation(program, uniform.name), unit++);
    }
}

// Attributes are where OpenFL puts them: at the numbers of their registers.
function bindAttributes(program, vertex) {
    for (const [name, number] of vertex.matchAll(/\bva(\d+)(?=;)/g)) gl.bindAttribLocation(program, number, name);
}

function complaint(shaders, program) {
    for (const shader of shaders)
        if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) return ["does not compile", gl.getShaderInfoLog(shader)];
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return ["does not link", gl.getProgramInfoLog(program)];
    gl.useProgram(program);
    separateSamplers(program);
    gl.drawArrays(gl.POINTS, 0, 1);
    const error = gl.getError();
    return error ? ["does not draw", "error " + error] : null;
}

function draw(vertex, fragment) {
    if (!gl) return ["no WebGL", "the browser gives no context"];
    const shaders = [compile(gl.VERTEX_SHADER, vertex), compile(gl.FRAGMENT_SHADER, fragment)];
    const program = gl.createProgram();
    for (const shader of shaders) gl.attachShader(program, shader);
    bindAttributes(program, vertex);
    const found = complaint(shaders, program);
    gl.deleteProgram(program);
    for (const shader of shaders) gl.deleteShader(shader);
    return found;
}
