"""Built-in variables: the decoration BuiltIn of each role of the IR."""

from __future__ import annotations

from collections.abc import Mapping

#: Role -> decoration in OpenGL and in Vulkan.
DECORATIONS: Mapping[str, tuple[str, str]] = {
    "position": ("Position", "Position"),
    "point_size": ("PointSize", "PointSize"),
    "clip_distance": ("ClipDistance", "ClipDistance"),
    "clip_distance_in": ("ClipDistance", "ClipDistance"),
    "instance_id": ("InstanceId", "InstanceIndex"),
    "vertex_id": ("VertexId", "VertexIndex"),
    "frag_coord": ("FragCoord", "FragCoord"),
    "front_facing": ("FrontFacing", "FrontFacing"),
    "point_coord": ("PointCoord", "PointCoord"),
    "primitive_id": ("PrimitiveId", "PrimitiveId"),
    "frag_depth": ("FragDepth", "FragDepth"),
}
