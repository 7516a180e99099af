"""The calls of the driver library citro3d, as what they do to registers."""
