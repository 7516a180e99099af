package openfl;

abstract Vector<T>(Array<T>) {
    public static function ofArray<T>(numbers:Array<T>):Vector<T> return cast numbers;
    public var length(get, never):Int;
    function get_length():Int return this.length;
    @:arrayAccess function get(index:Int):T return this[index];
    @:arrayAccess function set(index:Int, value:T):T return this[index] = value;
}
