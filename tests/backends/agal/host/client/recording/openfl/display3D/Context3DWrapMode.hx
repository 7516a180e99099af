package openfl.display3D;

enum abstract Context3DWrapMode(String) from String to String {
    var CLAMP = "clamp";
    var REPEAT = "repeat";
    var CLAMP_U_REPEAT_V = "clamp_u_repeat_v";
    var REPEAT_U_CLAMP_V = "repeat_u_clamp_v";
}
