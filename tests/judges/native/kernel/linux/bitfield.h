/* Of the kernel's macros for bit fields, those that the driver uses. */

#define GENMASK(high, low) (~0u << (low) & ~0u >> (31 - (high)))
#define LOWEST(mask) ((mask) & -(mask))
#define FIELD_FIT(mask, value) (((value) * LOWEST(mask) & ~(mask)) == 0)
#define FIELD_PREP(mask, value) ((value) * LOWEST(mask) & (mask))
#define FIELD_GET(mask, word) (((word) & (mask)) / LOWEST(mask))
