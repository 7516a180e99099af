package openfl.display3D;

enum abstract Context3DMipFilter(String) from String to String {
    var MIPLINEAR = "miplinear";
    var MIPNEAREST = "mipnearest";
    var MIPNONE = "mipnone";
}
