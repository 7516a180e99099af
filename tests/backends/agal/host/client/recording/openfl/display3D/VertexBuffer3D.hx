package openfl.display3D;

import openfl.Recorded;

class VertexBuffer3D {
    public final number:Int = Recorded.next();
    final stride:Int;
    public function new(stride:Int) this.stride = stride;
    public function uploadFromVector(data:openfl.Vector<Float>, first:Int, count:Int):Void {
        Recorded.call("vertices", [number, stride, Recorded.bits(data, count * stride)]);
    }
}
