# Compiles the shaders of cube when they have changed, before anything else is built. Include it in a Makefile of
# devkitPro's form, in the part for the project's folder:
#
#     include source/cube.mk
#
# What can be set before: CUBE_SHADERS, the texts, by default beside this file; GLSLC_MULTI and GLSLC_MULTI_FLAGS.
# The program is linked with -lcitro3d -lctru -lm.
GLSLC_MULTI ?= glslc-multi
CUBE_FOLDER := $(dir $(lastword $(MAKEFILE_LIST)))
CUBE_SHADERS ?= $(CUBE_FOLDER)cube.vert $(CUBE_FOLDER)cube.frag
# The first rule of the Makefile remains what is made by default.
CUBE_GOAL := $(.DEFAULT_GOAL)

$(CUBE_FOLDER)cube.c: $(CUBE_SHADERS)
	$(GLSLC_MULTI) link $(GLSLC_MULTI_FLAGS) $(CUBE_SHADERS) --target pica200 --emit host -o $@

# This file is written, too, and make reads the Makefile again, which then finds the source.
$(CUBE_FOLDER)cube.h $(CUBE_FOLDER)cube.mk: $(CUBE_FOLDER)cube.c ;

.DEFAULT_GOAL := $(CUBE_GOAL)
