package openfl.display3D;

import openfl.Recorded;
import openfl.Vector;
import openfl.display3D.textures.Texture;
import openfl.display3D.textures.TextureBase;
import openfl.geom.Matrix3D;

/** Prints its calls. */
class Context3D {
    public function new() {}

    public function createProgram():Program3D return new Program3D();

    public function createVertexBuffer(count:Int, stride:Int):VertexBuffer3D return new VertexBuffer3D(stride);

    public function createIndexBuffer(count:Int):IndexBuffer3D return new IndexBuffer3D();

    public function createTexture(width:Int, height:Int, format:String, isTarget:Bool):Texture {
        return new Texture(width, height);
    }

    public function clear(red:Float = 0, green:Float = 0, blue:Float = 0, alpha:Float = 1):Void {
        Recorded.call("clear", [red, green, blue, alpha]);
    }

    public function setRenderToTexture(texture:TextureBase):Void Recorded.call("target", [texture.number]);

    public function setRenderToBackBuffer():Void Recorded.call("target", [0]);

    public function drawTriangles(indices:IndexBuffer3D):Void Recorded.call("draw", [indices.number]);

    public function setProgram(program:Program3D):Void Recorded.call("program", [program == null ? 0 : program.number]);

    public function setTextureAt(sampler:Int, texture:TextureBase):Void {
        Recorded.call("texture", [sampler, texture == null ? 0 : texture.number]);
    }

    public function setSamplerStateAt(sampler:Int, wrap:String, filter:String, mip:String):Void {
        Recorded.call("sampler", [sampler, wrap, filter, mip]);
    }

    public function setVertexBufferAt(index:Int, buffer:VertexBuffer3D, offset:Int = 0, format:String = "float4"):Void {
        Recorded.call("stream", [index, buffer == null ? 0 : buffer.number, offset, format]);
    }

    public function setProgramConstantsFromVector(type:String, first:Int, data:Vector<Float>, count:Int):Void {
        Recorded.call("constants", [type, first, Recorded.bits(data, count * 4)]);
    }

    /** Registers are rows of a transposed matrix: OpenFL's own Context3D has these lines. */
    public function setProgramConstantsFromMatrix(type:String, first:Int, matrix:Matrix3D, transposed:Bool = false):Void {
        final all = matrix.rawData;
        final list = [for (n in 0...16) transposed ? all[n % 4 * 4 + Std.int(n / 4)] : all[n]];
        setProgramConstantsFromVector(type, first, Vector.ofArray(list), 4);
    }
}
