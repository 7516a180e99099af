
// What the device does not compute, in float32 and in ints of 32 bits: operations of the functions below.

private static const memory:ByteArray = new ByteArray();

private static function f32(x:Number):Number {
    memory.position = 0;
    memory.writeFloat(x);
    memory.position = 0;
    return memory.readFloat();
}

private static function bits(x:Number):int {
    memory.position = 0;
    memory.writeFloat(x);
    memory.position = 0;
    return memory.readInt();
}

private static function number(x:int):Number {
    memory.position = 0;
    memory.writeInt(x);
    memory.position = 0;
    return memory.readFloat();
}

private static function load_int(x:Number):int { return ftoi(x); }
private static function load_bool(x:Number):Boolean { return x != 0; }
private static function store_int(x:int):Number { return x; }
private static function store_bool(x:Boolean):Number { return x ? 1 : 0; }

private static function fadd(x:Number, y:Number):Number { return f32(x + y); }
private static function fsub(x:Number, y:Number):Number { return f32(x - y); }
private static function fmul(x:Number, y:Number):Number { return f32(x * y); }
private static function fdiv(x:Number, y:Number):Number { return f32(x / y); }
private static function fneg(x:Number):Number { return -x; }
private static function fabs(x:Number):Number { return Math.abs(x); }
private static function ffloor(x:Number):Number { return Math.floor(x); }
private static function fsqrt(x:Number):Number { return f32(Math.sqrt(x)); }
private static function fexp(x:Number):Number { return f32(Math.exp(x)); }
private static function fexp2(x:Number):Number { return f32(Math.pow(2, x)); }
private static function flog(x:Number):Number { return f32(Math.log(x)); }
private static function flog2(x:Number):Number { return f32(Math.log(x) / Math.LN2); }
private static function fpow(x:Number, y:Number):Number { return x < 0 || x != x ? NaN : f32(Math.pow(x, y)); }
private static function fsin(x:Number):Number { return f32(Math.sin(x)); }
private static function fcos(x:Number):Number { return f32(Math.cos(x)); }
private static function ftan(x:Number):Number { return f32(Math.tan(x)); }
private static function fasin(x:Number):Number { return f32(Math.asin(x)); }
private static function facos(x:Number):Number { return f32(Math.acos(x)); }
private static function fatan(x:Number):Number { return f32(Math.atan(x)); }
private static function fatan2(y:Number, x:Number):Number { return f32(Math.atan2(y, x)); }

private static function flt(x:Number, y:Number):Boolean { return x < y; }
private static function fle(x:Number, y:Number):Boolean { return x <= y; }
private static function feq(x:Number, y:Number):Boolean { return x == y; }
private static function band(x:Boolean, y:Boolean):Boolean { return x && y; }
private static function bor(x:Boolean, y:Boolean):Boolean { return x || y; }
private static function bxor(x:Boolean, y:Boolean):Boolean { return x != y; }
private static function bnot(x:Boolean):Boolean { return !x; }

private static function iadd(x:int, y:int):int { return (x + y) | 0; }
private static function isub(x:int, y:int):int { return (x - y) | 0; }
/** The product has more bits than a Number: its upper half is multiplied apart. */
private static function imul(x:int, y:int):int { return ((x & 0xffff) * y + (((x >>> 16) * y & 0xffff) << 16)) | 0; }
private static function idiv(x:int, y:int):int { return y == 0 ? 0 : (Number(x) / y) | 0; }
private static function udiv(x:int, y:int):int { return y == 0 ? 0 : int(uint(Number(uint(x)) / uint(y))); }
private static function ilt(x:int, y:int):Boolean { return x < y; }
private static function ieq(x:int, y:int):Boolean { return x == y; }
private static function ult(x:int, y:int):Boolean { return uint(x) < uint(y); }
private static function bits_and(x:int, y:int):int { return x & y; }
private static function bits_or(x:int, y:int):int { return x | y; }
private static function bits_xor(x:int, y:int):int { return x ^ y; }
private static function bits_not(x:int):int { return ~x; }
private static function shl(x:int, count:int):int { return x << count; }
private static function shr(x:int, count:int):int { return int(x >>> count); }
private static function asr(x:int, count:int):int { return x >> count; }
private static function itof(x:int):Number { return f32(x); }
/** Towards zero, saturating; 0 for what is no number. */
private static function ftoi(x:Number):int {
    return x != x ? 0 : x <= -2147483648 ? int(-2147483648) : x >= 2147483647 ? 2147483647 : int(x);
}
