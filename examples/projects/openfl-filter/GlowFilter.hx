import openfl.Vector;
import openfl.display3D.Context3D;
import openfl.display3D.Context3DTextureFormat;
import openfl.display3D.IndexBuffer3D;
import openfl.display3D.VertexBuffer3D;
import openfl.display3D.textures.Texture;

/** Shows a picture as a tube does: what is bright glows. Two passes: `across.frag` into a texture, `tube.frag` to the screen. */
class GlowFilter {
    /** A strength that looks well. */
    public static inline final USUAL:Float = 0.75;

    /** Pixels of the texture between the passes, and how far apart the ones are that a blur adds, in parts of it. */
    static inline final BETWEEN:Int = 128;
    static inline final STEP:Float = 1.5 / BETWEEN;
    static final WEIGHTS:Array<Float> = [0.2, 0.17, 0.12, 0.075, 0.035];

    final context:Context3D;
    final across:Across;
    final tube:Tube;
    final between:Texture;
    final corners:VertexBuffer3D;
    final triangles:IndexBuffer3D;

    public function new(context:Context3D) {
        this.context = context;
        between = context.createTexture(BETWEEN, BETWEEN, Context3DTextureFormat.BGRA, true);
        corners = context.createVertexBuffer(4, Across.STRIDE);
        corners.uploadFromVector(numbers([-1, -1, 1, -1, -1, 1, 1, 1]), 0, 4);
        triangles = context.createIndexBuffer(6);
        triangles.uploadFromVector(Vector.ofArray(([0, 1, 2, 2, 1, 3] : Array<UInt>)), 0, 6);

        across = new Across(context);
        across.upload();
        across.set_u_threshold(0.25);
        across.set_u_step(STEP);
        across.set_u_weights(numbers(WEIGHTS));

        tube = new Tube(context);
        tube.upload();
        tube.set_u_step(STEP);
        tube.set_u_weights(numbers(WEIGHTS));
        tube.set_u_glow(between);
        tube.set_u_bend(0.08, 0.12);
        tube.set_u_rows(64);
        // By columns, as in GLSL: what red, green and blue of the picture light up.
        tube.set_u_phosphors(numbers([1.0, 0.04, 0.02, 0.06, 0.95, 0.06, 0.0, 0.05, 1.05]));
    }

    /** Draw a picture to the screen, with a glow from 0 to 1. */
    public function draw(picture:Texture, strength:Float):Void {
        context.setRenderToTexture(between);
        context.clear();
        across.set_u_picture(picture);
        across.bind();
        across.bindVertices(corners);
        context.drawTriangles(triangles);
        across.release();

        context.setRenderToBackBuffer();
        context.clear();
        tube.set_u_picture(picture);
        tube.set_u_strength(strength);
        tube.bind();
        tube.bindVertices(corners);
        context.drawTriangles(triangles);
        tube.release();
    }

    static function numbers(list:Array<Float>):Vector<Float> {
        return Vector.ofArray(list);
    }
}
