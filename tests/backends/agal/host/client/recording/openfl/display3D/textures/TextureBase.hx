package openfl.display3D.textures;

class TextureBase {
    public final number:Int = openfl.Recorded.next();
    public function new() {}
}
