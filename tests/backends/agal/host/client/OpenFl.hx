import openfl.display.BitmapData;
import openfl.display.Stage;
import openfl.events.Event;

/** Draws all pictures with npm's OpenFL, and leaves their pixels to the page: 0xAARRGGBB, the top row first. */
class OpenFl {
    static function main() {
        final window:Dynamic = js.Browser.window;
        final size:Int = window.pictureSize;
        final stage = new Stage(size, size, 0);
        js.Browser.document.body.appendChild((cast stage : Dynamic).element);
        final stage3D = stage.stage3Ds[0];
        stage3D.addEventListener(Event.CONTEXT3D_CREATE, function(_) {
            final context = stage3D.context3D;
            context.configureBackBuffer(size, size, 0, true);
            final pictures = new Pictures(context);
            final found:Array<Array<Int>> = [];
            for (number in 0...(window.pictureCount : Int)) {
                context.clear(0, 0, 0, 1);
                pictures.draw(number);
                final bitmap = new BitmapData(size, size, true, 0);
                context.drawToBitmapData(bitmap);
                found.push([for (y in 0...size) for (x in 0...size) bitmap.getPixel32(x, y)]);
            }
            window.pictures = found;
        });
        stage3D.requestContext3D();
    }
}
