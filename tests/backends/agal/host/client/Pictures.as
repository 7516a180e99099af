package {
    import flash.display.BitmapData;
    import flash.display3D.Context3D;
    import flash.display3D.Context3DProgramType;
    import flash.display3D.Context3DTextureFormat;
    import flash.display3D.IndexBuffer3D;
    import flash.display3D.VertexBuffer3D;
    import flash.display3D.textures.Texture;
    import flash.geom.Matrix3D;

    /** What the test's pictures are drawn with: the generated classes, and values by the names of GLSL. */
    public class Pictures {
        private var context:Context3D;
        private var vertices:VertexBuffer3D;
        private var triangles:IndexBuffer3D;

        public function Pictures(context:Context3D) {
            this.context = context;
        }

        public function draw(number:int):void {
            switch (number) {
                @CASES@
            }
        }

        private function drawing(count:int, stride:int, numbers:Vector.<Number>, indices:Vector.<uint>):void {
            vertices = context.createVertexBuffer(count, stride);
            vertices.uploadFromVector(numbers, 0, count);
            triangles = context.createIndexBuffer(indices.length);
            triangles.uploadFromVector(indices, 0, indices.length);
        }

        private function texture(width:int, height:int, words:Vector.<uint>):Texture {
            const made:Texture = context.createTexture(width, height, Context3DTextureFormat.BGRA, false);
            const image:BitmapData = new BitmapData(width, height, true, 0);
            for (var number:int = 0; number < words.length; number++) {
                image.setPixel32(number % width, int(number / width), words[number]);
            }
            made.uploadFromBitmapData(image);
            return made;
        }
        @METHODS@
    }
}
