package openfl.utils;

class ByteArray {
    final buffer = new haxe.io.BytesBuffer();
    public var endian:Endian;
    public var position:Int;
    public function new() {}
    public function writeByte(value:Int):Void buffer.addByte(value & 255);
    /** Little-endian, which clients of Stage3D choose. */
    public function writeInt(value:Int):Void buffer.addInt32(value);
    /** With a letter before it, so that no bytes are a word, too. */
    public function hex():String return "x" + buffer.getBytes().toHex();
}
