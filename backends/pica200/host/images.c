/* The texels of an image of rows from the lowest on; channels that are not there are 1. */
static void @PREFIX@_fill_image(C3D_Tex *image, int columns, int rows, const float *const channels[4])
{
    u32 *texels = (u32 *)image->data;
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < columns; x++) {
            const int above = image->height - 1 - y, from = (y < rows ? y : rows - 1) * columns + x;
            u32 place = 0, texel = 0;
            for (int bit = 0; bit < 3; bit++)
                place |= (u32)(x >> bit & 1) << 2 * bit | (u32)(above >> bit & 1) << (2 * bit + 1);
            place += 64 * (u32)(above / 8 * (columns / 8) + x / 8);
            for (int channel = 0; channel < 4; channel++)
                texel = texel << 8 | (channels[channel] ? @PREFIX@_byte(channels[channel][from]) : 255);
            texels[place] = texel;
        }
    C3D_TexFlush(image);
}
