#if openfl
import openfl.Vector;
import openfl.display.BitmapData;
import openfl.display3D.Context3D;
import openfl.display3D.Context3DProgramType;
import openfl.display3D.Context3DTextureFormat;
import openfl.display3D.IndexBuffer3D;
import openfl.display3D.VertexBuffer3D;
import openfl.display3D.textures.Texture;
import openfl.geom.Matrix3D;
#else
import flash.Vector;
import flash.display.BitmapData;
import flash.display3D.Context3D;
import flash.display3D.Context3DProgramType;
import flash.display3D.Context3DTextureFormat;
import flash.display3D.IndexBuffer3D;
import flash.display3D.VertexBuffer3D;
import flash.display3D.textures.Texture;
import flash.geom.Matrix3D;
#end

/** What the test's pictures are drawn with: the generated classes, and values by the names of GLSL. */
class Pictures {
    final context:Context3D;
    var vertices:VertexBuffer3D;
    var triangles:IndexBuffer3D;

    public function new(context:Context3D) {
        this.context = context;
    }

    public function draw(number:Int):Void {
        switch (number) {
            @CASES@
        }
    }

    function drawing(count:Int, stride:Int, numbers:Vector<Float>, indices:Vector<UInt>):Void {
        vertices = context.createVertexBuffer(count, stride);
        vertices.uploadFromVector(numbers, 0, count);
        triangles = context.createIndexBuffer(indices.length);
        triangles.uploadFromVector(indices, 0, indices.length);
    }

    function texture(width:Int, height:Int, words:Vector<UInt>):Texture {
        final made = context.createTexture(width, height, Context3DTextureFormat.BGRA, false);
        final image = new BitmapData(width, height, true, 0);
        for (number in 0...words.length) image.setPixel32(number % width, Std.int(number / width), words[number]);
        made.uploadFromBitmapData(image);
        return made;
    }
    @METHODS@
}
