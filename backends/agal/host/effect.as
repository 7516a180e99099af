// @ABOUT@
// Written by glslc-multi, which writes it again when the shaders change.
@READERS@
package {
    import flash.display3D.Context3D;
    import flash.display3D.Context3DMipFilter;
    import flash.display3D.Context3DProfile;
    import flash.display3D.Context3DProgramType;
    import flash.display3D.Context3DTextureFilter;
    import flash.display3D.Context3DWrapMode;
    import flash.display3D.textures.TextureBase;
    import flash.utils.ByteArray;
    import flash.utils.Endian;
    import starling.rendering.@BASE@;
    import starling.rendering.Program;
    import starling.utils.RenderUtil;
    @IMPORTS@

    public class @CLASS@ extends @BASE@ {
        /** The least profile that takes the code, for Starling's constructor. */
        public static const PROFILE:String = Context3DProfile.@PROFILE@;
        @CONSTANTS@

        @FIELDS@

        override protected function createProgram():Program {
            return new Program(vertexCode(), fragmentCode());
        }

        override protected function beforeDraw(context:Context3D):void {
            super.beforeDraw(context);
            @BIND@
        }

        override protected function afterDraw(context:Context3D):void {
            @RELEASE@
            super.afterDraw(context);
        }
        @METHODS@
        @CODE@
    }
}
