package {
    import flash.display.BitmapData;
    import flash.display3D.Context3D;
    import flash.display3D.Context3DProgramType;
    import flash.display3D.Context3DTextureFormat;
    import flash.display3D.IndexBuffer3D;
    import flash.display3D.Program3D;
    import flash.display3D.VertexBuffer3D;
    import flash.display3D.textures.Texture;
    import flash.utils.ByteArray;

    /** Draws a quad with each of some programs, or nothing where the player throws an error. */
    public class Pictures {
        /** Byte code of both stages, how many constants each has, and whether there is a texture. */
        private static const PROGRAMS:Array = [
            @PROGRAMS@
        ];
        private static const VERTICES:Vector.<Number> = new <Number>[@VERTICES@];
        private static const CONSTANTS:Vector.<Number> = new <Number>[@CONSTANTS@];

        private var context:Context3D;

        public function Pictures(context:Context3D) {
            this.context = context;
        }

        public function draw(number:int):void {
            try {
                drawWith(PROGRAMS[number]);
            } catch (error:Error) {
            }
        }

        private function drawWith(it:Array):void {
            const program:Program3D = context.createProgram();
            program.upload(bytes(it[0]), bytes(it[1]));
            context.setProgram(program);
            context.setProgramConstantsFromVector(Context3DProgramType.VERTEX, 0, CONSTANTS, it[2]);
            context.setProgramConstantsFromVector(Context3DProgramType.FRAGMENT, 0, CONSTANTS, it[3]);
            const vertices:VertexBuffer3D = context.createVertexBuffer(4, 10);
            vertices.uploadFromVector(VERTICES, 0, 4);
            context.setVertexBufferAt(0, vertices, 0, "float4");
            context.setVertexBufferAt(1, vertices, 4, "float3");
            context.setVertexBufferAt(2, vertices, 7, "float2");
            context.setVertexBufferAt(3, vertices, 9, "float1");
            context.setTextureAt(0, it[4] ? chequers() : null);
            const triangles:IndexBuffer3D = context.createIndexBuffer(6);
            triangles.uploadFromVector(new <uint>[0, 1, 2, 2, 1, 3], 0, 6);
            context.drawTriangles(triangles);
        }

        /** Texels of two colours; in all levels but the first, of the one between. */
        private function chequers():Texture {
            const made:Texture = context.createTexture(64, 64, Context3DTextureFormat.BGRA, false);
            var size:int = 64;
            for (var level:int = 0; level < 7; level++) {
                const image:BitmapData = new BitmapData(size, size, true, 0xff8040c0);
                for (var texel:int = 0; level == 0 && texel < 4096; texel++) {
                    const x:int = texel % 64, y:int = texel / 64;
                    image.setPixel32(x, y, (x + y) % 2 == 0 ? 0xff4000a0 : 0xffc080e0);
                }
                made.uploadFromBitmapData(image, level);
                size /= 2;
            }
            return made;
        }

        private function bytes(values:Array):ByteArray {
            const made:ByteArray = new ByteArray();
            for each (var value:int in values) made.writeByte(value);
            made.position = 0;
            return made;
        }
    }
}
