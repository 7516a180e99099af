package openfl.utils;

enum abstract Endian(String) {
    var LITTLE_ENDIAN = "littleEndian";
}
