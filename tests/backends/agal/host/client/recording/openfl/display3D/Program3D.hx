package openfl.display3D;

class Program3D {
    public function new() {}
    public function upload(vertex:openfl.utils.ByteArray, fragment:openfl.utils.ByteArray):Void {}
    public function dispose():Void {}
}
