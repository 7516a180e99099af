// AGAL 1 to GLSL by OpenFL's converter: a program in hexadecimal a line in, its GLSL as a JSON string a line out, or
// null for a program that the converter does not take (a constant that is a row of a matrix here, a vector there).

const { createInterface } = require("readline");

const generated = "openfl/lib/_gen/openfl/";
const Converter = require(generated + "_internal/formats/agal/AGALConverter").default;
const ByteArray = require(generated + "utils/ByteArrayData").default;

function convert(line) {
    const bytes = new ByteArray();
    for (const byte of Buffer.from(line, "hex")) bytes.writeByte(byte);
    try {
        return Converter.convertToGLSL(bytes, []);
    } catch (error) {
        if (/multiple ways/.test(error.message || error.val || error)) return null;
        throw error;
    }
}

createInterface({ input: process.stdin }).on("line", line => console.log(JSON.stringify(convert(line))));
