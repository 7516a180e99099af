package openfl.display3D;

import openfl.Recorded;

class IndexBuffer3D {
    public final number:Int = Recorded.next();
    public function new() {}
    public function uploadFromVector(data:openfl.Vector<UInt>, first:Int, count:Int):Void {
        Recorded.call("indices", [number, [for (place in 0...count) data[place]].join(" ")]);
    }
}
