import openfl.display3D.Context3D;
import openfl.display3D.Context3DTextureFormat;

/** Draws what the project's page shows at first. */
class FilterRecorder {
    static function main() {
        final context = new Context3D();
        final picture = context.createTexture(Invader.SIZE, Invader.SIZE, Context3DTextureFormat.BGRA, false);
        picture.uploadFromBitmapData(Invader.drawn());
        new GlowFilter(context).draw(picture, GlowFilter.USUAL);
    }
}
