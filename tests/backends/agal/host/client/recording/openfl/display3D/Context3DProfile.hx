package openfl.display3D;

enum abstract Context3DProfile(String) from String to String {
    var BASELINE = "baseline";
    var STANDARD = "standard";
    var STANDARD_EXTENDED = "standard_extended";
}
