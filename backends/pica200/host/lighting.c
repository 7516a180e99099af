/* The magnitude of a float of 16 bits without its sign. */
static inline double @PREFIX@_f16_value(u32 pattern)
{
    const u32 exponent = pattern >> 10, mantissa = pattern & 0x3FF;
    if (exponent == 31)
        return mantissa ? NAN : INFINITY;
    return pattern ? ldexp(1.0 + mantissa / 1024.0, (int)exponent - 15) : 0.0;
}

/* The nearest float of 16 bits, of which the smallest exponent has no subnormals. */
static inline u32 @PREFIX@_f16(float number)
{
    u32 bits, below;
    memcpy(&bits, &number, sizeof bits);
    const int exponent = (int)(bits >> 23 & 0xFF) - 127 + 15;
    const double magnitude = fabs((double)number);
    below = exponent < 0 ? 0 : exponent > 31 ? 31u << 10 : (u32)exponent << 10 | (bits & 0x7FFFFF) >> 13;
    const double under = fabs(@PREFIX@_f16_value(below) - magnitude), over = fabs(@PREFIX@_f16_value(below + 1) - magnitude);
    return (bits >> 31) << 15 | (over < under ? below + 1 : below);
}

/* -1 to 1 in steps of 1/2047. */
static inline u32 @PREFIX@_s12(float number)
{
    const double limited = !(number > -1.0f) ? -1.0 : number > 1.0f ? 1.0 : (double)number;
    return (u32)(int)rint(2047.0 * limited) & 0x1FFF;
}

/* A byte of a colour that is not below the number, since the unit cuts results off. */
static inline u32 @PREFIX@_byte_above(float number)
{
    const double limited = !(number > 0.0f) ? 0.0 : number > 1.0f ? 1.0 : (double)number;
    return (u32)ceil(fmax(255.0 * limited - 0x1p-10, 0.0));
}

/* The colour of a light. */
static inline u32 @PREFIX@_light_colour(const float colour[3])
{
    return @PREFIX@_byte_above(colour[0]) << 20 | @PREFIX@_byte_above(colour[1]) << 10 | @PREFIX@_byte_above(colour[2]);
}

/* An entry: where a line begins, and how far it rises. */
static inline u32 @PREFIX@_light_entry(float start, float end)
{
    const double first = !(start > 0.0f) ? 0.0 : start > 1.0f ? 1.0 : (double)start;
    const double last = !(end > 0.0f) ? 0.0 : fmin((double)end, 1e30);
    const double value = rint(first * 4095.0);
    const double rise = fmax(fmin(rint((last - value / 4095.0) * 2047.0), 2047.0), -2047.0);
    return (u32)value | (u32)fabs(rise) << 12 | (rise < 0.0 ? 1u << 23 : 0);
}

/* A table of its values at the ends of 256 lines; the second half comes first where it is looked up at -1 to 1. */
static inline void @PREFIX@_light_table(u32 number, bool is_signed, const float *values)
{
    GPUCMD_AddMaskedWrite(0x1C5, 0xF, number << 8);
    for (int n = 0; n < 256; n++) {
        const float *line = values + (is_signed ? (n + 128) % 256 : n);
        GPUCMD_AddMaskedWrite(0x1C8, 0xF, @PREFIX@_light_entry(line[0], line[1]));
    }
}
