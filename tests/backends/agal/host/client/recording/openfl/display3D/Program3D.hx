package openfl.display3D;

import openfl.Recorded;
import openfl.utils.ByteArray;

class Program3D {
    public final number:Int = Recorded.next();
    public function new() {}
    public function upload(vertex:ByteArray, fragment:ByteArray):Void {
        Recorded.call("upload", [number, vertex.hex(), fragment.hex()]);
    }
    public function dispose():Void {}
}
