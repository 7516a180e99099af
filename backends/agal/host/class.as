// @ABOUT@
// Written by glslc-multi, which writes it again when the shaders change.
@READERS@
package {
    import flash.display3D.Context3D;
    import flash.display3D.Context3DMipFilter;
    import flash.display3D.Context3DProfile;
    import flash.display3D.Context3DProgramType;
    import flash.display3D.Context3DTextureFilter;
    import flash.display3D.Context3DVertexBufferFormat;
    import flash.display3D.Context3DWrapMode;
    import flash.display3D.Program3D;
    import flash.display3D.VertexBuffer3D;
    import flash.display3D.textures.TextureBase;
    import flash.utils.ByteArray;
    import flash.utils.Endian;
    @IMPORTS@

    public class @CLASS@ {
        /** The least profile that takes the code, for Stage3D.requestContext3D. */
        public static const PROFILE:String = Context3DProfile.@PROFILE@;
        @CONSTANTS@

        private var context:Context3D;
        private var program:Program3D;
        @FIELDS@

        public function @CLASS@(context:Context3D) {
            this.context = context;
        }

        /** Bring the code to the device; again whenever the context was lost. */
        public function upload(@OTHER@):void {
            program = context.createProgram();
            program.upload(@VERTEX@, @FRAGMENT@);
        }

        /** Draw with this program, and with the values that it has now. */
        public function bind():void {
            context.setProgram(program);
            @BIND@
        }

        /** Leave the device without this program's vertices and textures: the next one may not read as many. */
        public function release():void {
            @RELEASE@
        }

        public function dispose():void {
            if (program != null) program.dispose();
            program = null;
        }
        @METHODS@
        @CODE@
    }
}
