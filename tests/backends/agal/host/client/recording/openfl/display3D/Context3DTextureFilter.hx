package openfl.display3D;

enum abstract Context3DTextureFilter(String) from String to String {
    var LINEAR = "linear";
    var NEAREST = "nearest";
    var ANISOTROPIC2X = "anisotropic2x";
    var ANISOTROPIC4X = "anisotropic4x";
    var ANISOTROPIC8X = "anisotropic8x";
    var ANISOTROPIC16X = "anisotropic16x";
}
