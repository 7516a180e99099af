package openfl.display3D.textures;

class TextureBase {}
