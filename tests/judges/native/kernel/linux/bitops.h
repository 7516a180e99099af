/* bitfield.h and vc4_drv.h have it all. */
