package {
    import flash.display.BitmapData;
    import flash.display3D.Context3D;
    import flash.display3D.Context3DTextureFormat;
    import flash.display3D.IndexBuffer3D;
    import flash.display3D.VertexBuffer3D;
    import flash.display3D.textures.TextureBase;
    import flash.geom.Matrix3D;
    import flash.utils.ByteArray;
    import flash.utils.Endian;
    import starling.core.Starling;
    import starling.rendering.Effect;
    import starling.rendering.FilterEffect;
    import starling.rendering.MeshEffect;
    import starling.rendering.RenderState;
    import starling.textures.Texture;

    /** Draws a quad with a filter's effect, then with a style's. */
    public class Pictures {
        private const matrix:Matrix3D = new Matrix3D(new <Number>[@MATRIX@]);
        private var context:Context3D;

        public function Pictures(context:Context3D) {
            this.context = context;
            Starling.context = context;
        }

        public function draw(number:int):void {
            const first:TextureBase = texture(new <uint>[@FIRST@]), second:TextureBase = texture(new <uint>[@SECOND@]);
            if (number == 0) {
                const filter:TintedFilter = new TintedFilter();
                filter.shader.mvpMatrix3D = matrix;
                filter.shader.texture = new Texture(first);
                filter.shader.set_u_tint(@TINT@);
                filter.shader.set_u_other(second);
                render(filter.shader);
            } else {
                const style:GlassStyle = new GlassStyle(), state:RenderState = new RenderState();
                style.update = function(effect:Glass):void {
                    effect.set_u_tint(@TINT@);
                    effect.set_u_other(second);
                };
                state.mvpMatrix3D = matrix;
                state.alpha = @ALPHA@;
                const effect:MeshEffect = style.createEffect();
                style.updateEffect(effect, state);
                effect.texture = new Texture(first);
                render(effect);
            }
        }

        private function render(effect:Effect):void {
            const vertices:VertexBuffer3D = context.createVertexBuffer(4, 5), bytes:ByteArray = new ByteArray();
            bytes.endian = Endian.LITTLE_ENDIAN;
            for each (var vertex:Array in [@VERTICES@]) {
                for (var place:int = 0; place < 4; place++) bytes.writeFloat(vertex[place]);
                for (place = 4; place < 8; place++) bytes.writeByte(vertex[place]);
            }
            vertices.uploadFromByteArray(bytes, 0, 0, 4);
            const triangles:IndexBuffer3D = context.createIndexBuffer(6);
            triangles.uploadFromVector(new <uint>[0, 1, 2, 2, 1, 3], 0, 6);
            effect.render(vertices, triangles);
        }

        /** Four by four texels. */
        private function texture(words:Vector.<uint>):TextureBase {
            const made:flash.display3D.textures.Texture =
                context.createTexture(4, 4, Context3DTextureFormat.BGRA, false);
            const image:BitmapData = new BitmapData(4, 4, true, 0);
            for (var number:int = 0; number < 16; number++) {
                image.setPixel32(number % 4, int(number / 4), words[number]);
            }
            made.uploadFromBitmapData(image);
            return made;
        }
    }
}
