# Compiles the shaders of @PREFIX@ again when they have changed. Include it in a Makefile after the rules of devkitPro:
#
#     include source/@PREFIX@.mk
#
# What can be set before: @NAME@_SHADERS, the texts, by default beside this file; GLSLC_MULTI and GLSLC_MULTI_FLAGS.
# The program is linked with -lcitro3d -lctru -lm.
GLSLC_MULTI ?= glslc-multi
@NAME@_FOLDER := $(dir $(lastword $(MAKEFILE_LIST)))
@NAME@_SHADERS ?= @SHADERS@

$(@NAME@_FOLDER)@PREFIX@.c: $(@NAME@_SHADERS)
	$(GLSLC_MULTI) @COMMAND@ $(GLSLC_MULTI_FLAGS) $(@NAME@_SHADERS) --target pica200 --emit host -o $@

$(@NAME@_FOLDER)@PREFIX@.h: $(@NAME@_FOLDER)@PREFIX@.c ;
