package openfl.display3D;

/** Prints the constants that are uploaded, as the bits of float32. */
class Context3D {
    public function new() {}
    public function createProgram():Program3D return new Program3D();
    public function setProgram(program:Program3D):Void {}
    public function setTextureAt(sampler:Int, texture:openfl.display3D.textures.TextureBase):Void {}
    public function setSamplerStateAt(sampler:Int, wrap:String, filter:String, mip:String):Void {}
    public function setVertexBufferAt(index:Int, buffer:VertexBuffer3D, offset:Int = 0, ?format:String):Void {}
    public function setProgramConstantsFromVector(type:String, first:Int, data:openfl.Vector<Float>, count:Int):Void {
        final words = [for (number in 0...count * 4) haxe.io.FPHelper.floatToI32(data[number])];
        Sys.println('$type $first ${words.join(" ")}');
    }
}
