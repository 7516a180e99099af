package openfl.display;

/** Words 0xAARRGGBB, the top row first. */
class BitmapData {
    public final pixels:Array<Int>;
    final width:Int;
    public function new(width:Int, height:Int, transparent:Bool, color:Int) {
        this.width = width;
        pixels = [for (_ in 0...width * height) color];
    }
    public function setPixel32(x:Int, y:Int, color:Int):Void pixels[y * width + x] = color;
}
