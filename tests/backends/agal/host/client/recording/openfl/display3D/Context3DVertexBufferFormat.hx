package openfl.display3D;

enum abstract Context3DVertexBufferFormat(String) from String to String {
    var FLOAT_1 = "float_1";
    var FLOAT_2 = "float_2";
    var FLOAT_3 = "float_3";
    var FLOAT_4 = "float_4";
}
