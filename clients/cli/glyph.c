#define _XOPEN_SOURCE 700 /* wcwidth */
#include <cli/glyph.h>

#include <protocol/text.h>

#include <stdbool.h>
#include <string.h>
#include <wchar.h>

/* Controls would steer the terminal; direction marks would let a name rewrite what is beside
 * it. */
static bool is_harmful(uint32_t code)
{
    return code == UTF8_BAD || text_forbidden(code);
}

uint32_t glyph_next(const char **at)
{
    if (**at == '\0')
        return 0;
    if ((unsigned char)**at < 0x80) {
        unsigned char byte = (unsigned char)*(*at)++;
        return is_harmful(byte) ? '?' : byte;
    }
    uint32_t code = utf8_next(at, *at + strnlen(*at, 4));
    return is_harmful(code) ? '?' : code;
}

int glyph_width(uint32_t code)
{
    if (code < 0x7f)
        return 1;
    int width = wcwidth((wchar_t)code);
    return width < 0 ? 1 : width;
}

int glyph_columns(const char *text)
{
    int columns = 0;
    for (uint32_t code; (code = glyph_next(&text)) != 0;)
        columns += glyph_width(code);
    return columns;
}

void glyph_print(uint32_t code, FILE *out)
{
    if (code < 0x80) {
        fputc((int)code, out);
    } else if (code < 0x800) {
        fputc((int)(0xc0 | code >> 6), out);
        fputc((int)(0x80 | (code & 0x3f)), out);
    } else if (code < 0x10000) {
        fputc((int)(0xe0 | code >> 12), out);
        fputc((int)(0x80 | (code >> 6 & 0x3f)), out);
        fputc((int)(0x80 | (code & 0x3f)), out);
    } else {
        fputc((int)(0xf0 | code >> 18), out);
        fputc((int)(0x80 | (code >> 12 & 0x3f)), out);
        fputc((int)(0x80 | (code >> 6 & 0x3f)), out);
        fputc((int)(0x80 | (code & 0x3f)), out);
    }
}

void glyph_print_text(const char *text, FILE *out)
{
    for (uint32_t code; (code = glyph_next(&text)) != 0;)
        glyph_print(code, out);
}
