
// What the device does not compute, in float32 and in ints of 32 bits: operations of the functions below.

static final memory:ByteArray = new ByteArray();

static function f32(x:Float):Float {
    memory.position = 0;
    memory.writeFloat(x);
    memory.position = 0;
    return memory.readFloat();
}

static function bits(x:Float):Int {
    memory.position = 0;
    memory.writeFloat(x);
    memory.position = 0;
    return memory.readInt();
}

static function number(x:Int):Float {
    memory.position = 0;
    memory.writeInt(x);
    memory.position = 0;
    return memory.readFloat();
}

static function load_int(x:Float):Int return ftoi(x);
static function load_bool(x:Float):Bool return x != 0;
static function store_int(x:Int):Float return x;
static function store_bool(x:Bool):Float return x ? 1 : 0;

static function fadd(x:Float, y:Float):Float return f32(x + y);
static function fsub(x:Float, y:Float):Float return f32(x - y);
static function fmul(x:Float, y:Float):Float return f32(x * y);
static function fdiv(x:Float, y:Float):Float return f32(x / y);
static function fneg(x:Float):Float return -x;
static function fabs(x:Float):Float return Math.abs(x);
static function ffloor(x:Float):Float return Math.ffloor(x);
static function fsqrt(x:Float):Float return f32(Math.sqrt(x));
static function fexp(x:Float):Float return f32(Math.exp(x));
static function fexp2(x:Float):Float return f32(Math.pow(2, x));
static function flog(x:Float):Float return f32(Math.log(x));
static function flog2(x:Float):Float return f32(Math.log(x) / Math.log(2));
static function fpow(x:Float, y:Float):Float return x < 0 || x != x ? Math.NaN : f32(Math.pow(x, y));
static function fsin(x:Float):Float return f32(Math.sin(x));
static function fcos(x:Float):Float return f32(Math.cos(x));
static function ftan(x:Float):Float return f32(Math.tan(x));
static function fasin(x:Float):Float return f32(Math.asin(x));
static function facos(x:Float):Float return f32(Math.acos(x));
static function fatan(x:Float):Float return f32(Math.atan(x));
static function fatan2(y:Float, x:Float):Float return f32(Math.atan2(y, x));

static function flt(x:Float, y:Float):Bool return x < y;
static function fle(x:Float, y:Float):Bool return x <= y;
static function feq(x:Float, y:Float):Bool return x == y;
static function band(x:Bool, y:Bool):Bool return x && y;
static function bor(x:Bool, y:Bool):Bool return x || y;
static function bxor(x:Bool, y:Bool):Bool return x != y;
static function bnot(x:Bool):Bool return !x;

static function iadd(x:Int, y:Int):Int return (x + y) | 0;
static function isub(x:Int, y:Int):Int return (x - y) | 0;
/** The product has more bits than a Float: its upper half is multiplied apart. */
static function imul(x:Int, y:Int):Int {
    final low:Float = (x & 0xffff) * 1.0 * y;
    final high:Float = (x >>> 16) * 1.0 * (y & 0xffff);
    return wrapped(low) + (wrapped(high) << 16) | 0;
}
/** Of a whole number below 2^53, its lowest 32 bits. */
static function wrapped(x:Float):Int {
    final rest = x - Math.ffloor(x / 4294967296.0) * 4294967296.0;
    return Std.int(rest >= 2147483648.0 ? rest - 4294967296.0 : rest);
}
static function idiv(x:Int, y:Int):Int {
    final quotient:Float = y == 0 ? 0 : x / y;
    return wrapped(quotient < 0 ? Math.fceil(quotient) : Math.ffloor(quotient));
}
static function udiv(x:Int, y:Int):Int return y == 0 ? 0 : wrapped(Math.ffloor(unsigned(x) / unsigned(y)));
static function unsigned(x:Int):Float return x < 0 ? x + 4294967296.0 : x;
static function ilt(x:Int, y:Int):Bool return x < y;
static function ieq(x:Int, y:Int):Bool return x == y;
static function ult(x:Int, y:Int):Bool return unsigned(x) < unsigned(y);
static function bits_and(x:Int, y:Int):Int return x & y;
static function bits_or(x:Int, y:Int):Int return x | y;
static function bits_xor(x:Int, y:Int):Int return x ^ y;
static function bits_not(x:Int):Int return ~x;
static function shl(x:Int, count:Int):Int return x << count;
static function shr(x:Int, count:Int):Int return (x >>> count) | 0;
static function asr(x:Int, count:Int):Int return x >> count;
static function itof(x:Int):Float return f32(x);
/** Towards zero, saturating; 0 for what is no number. */
static function ftoi(x:Float):Int {
    return x != x ? 0 : x <= -2147483648.0 ? -2147483648 : x >= 2147483647.0 ? 2147483647 : Std.int(x);
}
