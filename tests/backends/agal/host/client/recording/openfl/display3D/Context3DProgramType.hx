package openfl.display3D;

enum abstract Context3DProgramType(String) from String to String {
    var VERTEX = "vertex";
    var FRAGMENT = "fragment";
}
