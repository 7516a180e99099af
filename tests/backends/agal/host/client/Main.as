package {
    import flash.display.Sprite;
    import flash.display.Stage3D;
    import flash.display3D.Context3D;
    import flash.events.Event;
    import flash.external.ExternalInterface;

    /** Draws the picture that the page wants, and tells it once the picture is on the screen. */
    [SWF(width="64", height="64", frameRate="30", backgroundColor="#000000")]
    public class Main extends Sprite {
        private static const FRAMES:int = 2;

        private var context:Context3D;
        private var pictures:Pictures;
        private var drawn:int = -1;
        private var frames:int;

        public function Main() {
            const device:Stage3D = stage.stage3Ds[0];
            device.addEventListener(Event.CONTEXT3D_CREATE, function(event:Event):void {
                context = device.context3D;
                context.configureBackBuffer(64, 64, 0, true);
                pictures = new Pictures(context);
                addEventListener(Event.ENTER_FRAME, enterFrame);
            });
            device.requestContext3D();
        }

        private function enterFrame(event:Event):void {
            const wanted:int = ExternalInterface.call("wantedPicture");
            if (wanted != drawn) {
                context.clear(0, 0, 0, 1);
                pictures.draw(wanted);
                context.present();
                drawn = wanted;
                frames = 0;
            } else if (++frames == FRAMES) {
                ExternalInterface.call("showsPicture", drawn);
            }
        }
    }
}
