package openfl.utils;

import haxe.io.Bytes;

/** Little-endian, which clients of Stage3D choose. */
class ByteArray {
    /** More than any program has. */
    static inline final MOST:Int = 1 << 16;

    public var endian:Endian;
    public var position:Int = 0;
    final bytes:Bytes = Bytes.alloc(MOST);
    var length:Int = 0;

    public function new() {}

    public function writeByte(value:Int):Void bytes.set(next(1), value);

    public function writeInt(value:Int):Void bytes.setInt32(next(4), value);

    public function writeFloat(value:Float):Void bytes.setFloat(next(4), value);

    public function readInt():Int return bytes.getInt32(next(4));

    public function readFloat():Float return bytes.getFloat(next(4));

    /** With a letter before it, so that no bytes are a word, too. */
    public function hex():String return "x" + bytes.sub(0, length).toHex();

    /** Where so many bytes are; the position is after them. */
    function next(count:Int):Int {
        position += count;
        if (position > length) length = position;
        return position - count;
    }
}
