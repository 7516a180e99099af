package openfl;

import haxe.io.FPHelper;

/** The calls of a client, printed: a line for each, numbers as the bits of float32 where they are floats. */
class Recorded {
    static var made = 0;

    /** A number for something that the device makes; 0 is none. */
    public static function next():Int return ++made;

    public static function call(name:String, words:Array<Any>):Void Sys.println([(name : Any)].concat(words).join(" "));

    public static function bits(numbers:Vector<Float>, count:Int):String {
        return [for (number in 0...count) FPHelper.floatToI32(numbers[number])].join(" ");
    }
}
