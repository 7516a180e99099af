package openfl.utils;

class ByteArray {
    public var endian:Endian;
    public var position:Int;
    public function new() {}
    public function writeByte(value:Int):Void {}
    public function writeInt(value:Int):Void {}
}
