/* What is drawn: the same on the board and in the test of this project. */
#ifndef SCENE_H
#define SCENE_H

#include "shader.h"

enum { WIDTH = 320, HEIGHT = 240 };

/* Lists that draw the scene to a frame: 0, or what failed. */
int draw_scene(vc4_device *device, const vc4_place *pixels, vc4_job *job);

#endif
