// @ABOUT@
// Written by glslc-multi, which writes it again when the shaders change.
@READERS@
#if openfl
import openfl.Vector;
import openfl.display3D.Context3D;
import openfl.display3D.Context3DMipFilter;
import openfl.display3D.Context3DProfile;
import openfl.display3D.Context3DProgramType;
import openfl.display3D.Context3DTextureFilter;
import openfl.display3D.Context3DVertexBufferFormat;
import openfl.display3D.Context3DWrapMode;
import openfl.display3D.Program3D;
import openfl.display3D.VertexBuffer3D;
import openfl.display3D.textures.TextureBase;
import openfl.utils.ByteArray;
import openfl.utils.Endian;
#else
import flash.Vector;
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
#end
@IMPORTS@

class @CLASS@ {
    /** The least profile that takes the code, for Stage3D.requestContext3D. */
    public static final PROFILE:Context3DProfile = Context3DProfile.@PROFILE@;
    @CONSTANTS@

    final context:Context3D;
    var program:Program3D;
    @FIELDS@

    public function new(context:Context3D) {
        this.context = context;
    }

    /** Bring the code to the device; again whenever the context was lost. */
    public function upload(@OTHER@):Void {
        program = context.createProgram();
        program.upload(@VERTEX@, @FRAGMENT@);
    }

    /** Draw with this program, and with the values that it has now. */
    public function bind():Void {
        context.setProgram(program);
        @BIND@
    }

    /** Leave the device without this program's vertices and textures: the next one may not read as many. */
    public function release():Void {
        @RELEASE@
    }

    public function dispose():Void {
        if (program != null) program.dispose();
        program = null;
    }
    @METHODS@
    @CODE@
}
