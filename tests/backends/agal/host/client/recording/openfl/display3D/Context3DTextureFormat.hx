package openfl.display3D;

enum abstract Context3DTextureFormat(String) from String to String {
    var BGRA = "bgra";
}
