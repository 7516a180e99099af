package openfl.geom;

class Matrix3D {
    public final rawData:openfl.Vector<Float>;
    public function new(numbers:openfl.Vector<Float>) rawData = numbers;
}
