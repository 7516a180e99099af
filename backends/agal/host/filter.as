// Written by glslc-multi, which writes it again when the shaders change.
package {
    import starling.filters.FragmentFilter;
    import starling.rendering.FilterEffect;

    /** Draws a display object with @CLASS@: `object.filter = new @CLASS@Filter()`. */
    public class @CLASS@Filter extends FragmentFilter {
        /** Its uniforms and textures; call setRequiresRedraw() after a change. */
        public function get shader():@CLASS@ {
            return effect as @CLASS@;
        }

        override protected function createEffect():FilterEffect {
            return new @CLASS@();
        }
    }
}
