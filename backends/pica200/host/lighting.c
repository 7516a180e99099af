/* The magnitude of a short float without its sign: the exponent's bias, and the bits of the mantissa. */
static inline double @PREFIX@_short_value(u32 pattern, int bias, int bits)
{
    const u32 exponent = pattern >> bits, mantissa = pattern & ((1u << bits) - 1);
    if (exponent > 2u * (u32)bias)
        return mantissa ? NAN : INFINITY;
    return pattern ? ldexp(1.0 + ldexp(mantissa, -bits), (int)exponent - bias) : 0.0;
}

/* The nearest short float, of which the smallest exponent has no subnormals. */
static inline u32 @PREFIX@_short(float number, int bias, int bits)
{
    u32 word, below;
    memcpy(&word, &number, sizeof word);
    const int exponent = (int)(word >> 23 & 0xFF) - 127 + bias, most = 2 * bias + 1;
    const double magnitude = fabs((double)number);
    below = exponent < 0 ? 0 : (u32)(exponent > most ? most : exponent) << bits;
    if (exponent >= 0 && exponent <= most)
        below |= (word & 0x7FFFFF) >> (23 - bits);
    const double under = fabs(@PREFIX@_short_value(below, bias, bits) - magnitude);
    const double over = fabs(@PREFIX@_short_value(below + 1, bias, bits) - magnitude);
    const u32 sign = (word >> 31) * ((u32)most + 1) << bits;
    return sign | (over < under ? below + 1 : below);
}

/* Floats of 16 and of 20 bits. */
static inline u32 @PREFIX@_f16(float number)
{
    return @PREFIX@_short(number, 15, 10);
}

static inline u32 @PREFIX@_f20(float number)
{
    return @PREFIX@_short(number, 63, 12);
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
    u32 entries[256];
    for (int n = 0; n < 256; n++) {
        const float *line = values + (is_signed ? (n + 128) % 256 : n);
        entries[n] = @PREFIX@_light_entry(line[0], line[1]);
    }
    GPUCMD_AddMaskedWrite(0x1C5 /* LIGHTING_LUT_INDEX */, 0xF, number << 8);
    GPUCMD_AddWrites(0x1C8 /* LIGHTING_LUT_DATA0 */, entries, 256);
}
