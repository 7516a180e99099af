package openfl.display3D.textures;

import openfl.Recorded;
import openfl.display.BitmapData;

class Texture extends TextureBase {
    public function new(width:Int, height:Int) {
        super();
        Recorded.call("size", [number, width, height]);
    }
    public function uploadFromBitmapData(image:BitmapData):Void {
        Recorded.call("image", [number, image.pixels.join(" ")]);
    }
}
