# Compiles the shaders of @PREFIX@ when they have changed, before anything else is built. Include it in a Makefile of
# devkitPro's form, in the part for the project's folder:
#
#     include source/@PREFIX@.mk
#
# What can be set before: @NAME@_SHADERS, the texts, by default beside this file; GLSLC_MULTI and GLSLC_MULTI_FLAGS.
# The program is linked with -lcitro3d -lctru -lm.
GLSLC_MULTI ?= glslc-multi
@NAME@_FOLDER := $(dir $(lastword $(MAKEFILE_LIST)))
@NAME@_SHADERS ?= @SHADERS@
# The first rule of the Makefile remains what is made by default.
@NAME@_GOAL := $(.DEFAULT_GOAL)

$(@NAME@_FOLDER)@PREFIX@.c: $(@NAME@_SHADERS)
	$(GLSLC_MULTI) @COMMAND@ $(GLSLC_MULTI_FLAGS) $(@NAME@_SHADERS) --target pica200 --emit host -o $@

# This file is written, too, and make reads the Makefile again, which then finds the source.
$(@NAME@_FOLDER)@PREFIX@.h $(@NAME@_FOLDER)@PREFIX@.mk: $(@NAME@_FOLDER)@PREFIX@.c ;

.DEFAULT_GOAL := $(@NAME@_GOAL)
