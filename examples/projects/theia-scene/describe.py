"""Writes scene.json: a pyramid of two visible sides above a floor, a chequered texture, values of the uniforms."""

import json

SIZE, TEXELS = 32, 8
TOP, LEFT, RIGHT, MIDDLE = (0, 2.5, 0), (-3.5, -1.5, -1), (3.5, -1.5, -1), (0, -2, 2)
FLOOR = ((-6, -2.5, 3), (6, -2.5, 3), (0, -1, -8))
UVS = ((0, 0), (1, 0), (0, 1))


def texel(u, v):
    """Light and dark squares, redder to the right."""
    bright = 1 if (u // 2 + v // 2) % 2 else 0.6
    return bright, bright * (1 - u / 16), bright * 0.75


scene = {
    "size": SIZE,
    "camera": (0, 0, 10),
    "window": ((-1, -1, 8), (1, 1, 8)),
    "triangles": [
        {"corners": (LEFT, MIDDLE, TOP), "uvs": UVS, "diffuse": (1, 0.5, 0.4)},
        {"corners": (MIDDLE, RIGHT, TOP), "uvs": UVS, "diffuse": (0.4, 0.9, 0.5)},
        {"corners": FLOOR, "uvs": UVS, "diffuse": (0.6, 0.6, 0.8)},
    ],
    "texture": {"size": TEXELS, "texels": [texel(u, v) for v in range(TEXELS) for u in range(TEXELS)]},
    "uniforms": {"u_lamp": (1, 4, 9), "u_sky": (0.1, 0.15, 0.3), "u_ambient": 0.2},
}
print(json.dumps(scene))
