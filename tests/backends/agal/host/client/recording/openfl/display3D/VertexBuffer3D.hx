package openfl.display3D;

class VertexBuffer3D {}
