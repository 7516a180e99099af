import openfl.display.Stage;
import openfl.display3D.Context3DTextureFormat;
import openfl.events.Event;
import openfl.events.MouseEvent;

/** A page with the picture; the glow follows the mouse. */
class Main {
    static inline final SIZE:Int = 256;

    static function main() {
        final stage = new Stage(SIZE, SIZE, 0);
        js.Browser.document.body.appendChild((cast stage : Dynamic).element);
        final device = stage.stage3Ds[0];
        device.addEventListener(Event.CONTEXT3D_CREATE, function(_) {
            final context = device.context3D;
            context.configureBackBuffer(SIZE, SIZE, 0, false);
            final picture = context.createTexture(Invader.SIZE, Invader.SIZE, Context3DTextureFormat.BGRA, false);
            picture.uploadFromBitmapData(Invader.drawn());
            final filter = new GlowFilter(context);
            var strength = GlowFilter.USUAL;
            stage.addEventListener(MouseEvent.MOUSE_MOVE, function(_) strength = stage.mouseX / SIZE);
            stage.addEventListener(Event.ENTER_FRAME, function(_) {
                filter.draw(picture, strength);
                context.present();
            });
        });
        device.requestContext3D();
    }
}
