// Written by glslc-multi, which writes it again when the shaders change.
package {
    import starling.rendering.MeshEffect;
    import starling.rendering.RenderState;
    import starling.styles.MeshStyle;

    /** Draws meshes with @CLASS@: `mesh.style = new @CLASS@Style()`. Starling may make the effect anew for a batch, so what is
        to be set is set in `update`, a function of the effect. */
    public class @CLASS@Style extends MeshStyle {
        public var update:Function;

        override public function copyFrom(meshStyle:MeshStyle):void {
            super.copyFrom(meshStyle);
            if (meshStyle is @CLASS@Style) update = (meshStyle as @CLASS@Style).update;
        }

        override public function createEffect():MeshEffect {
            return new @CLASS@();
        }

        override public function updateEffect(effect:MeshEffect, state:RenderState):void {
            super.updateEffect(effect, state);
            if (update != null) update(effect as @CLASS@);
        }

        /** Meshes are drawn at once where they share their uniforms. */
        override public function canBatchWith(meshStyle:MeshStyle):Boolean {
            const other:@CLASS@Style = meshStyle as @CLASS@Style;
            return other != null && other.update == update && super.canBatchWith(meshStyle);
        }
    }
}
