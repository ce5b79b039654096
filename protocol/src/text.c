#include <protocol/text.h>

#include <assert.h>
#include <string.h>

uint32_t utf8_next(const char **at, const char *end)
{
    const unsigned char *p = (const unsigned char *)*at;
    size_t have = (size_t)(end - *at);
    assert(have > 0);
    *at += 1;
    if (p[0] < 0x80)
        return p[0];
    size_t need = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || have < need)
        return UTF8_BAD;
    uint32_t point = p[0] & (0xffU >> (need + 1));
    for (size_t i = 1; i < need; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return UTF8_BAD;
        point = point << 6 | (p[i] & 0x3fU);
    }
    bool overlong = (need == 3 && point < 0x800) || (need == 4 && point < 0x10000);
    bool surrogate = point >= 0xd800 && point <= 0xdfff;
    if (overlong || surrogate || point > 0x10ffff)
        return UTF8_BAD;
    *at += need - 1;
    return point;
}

bool utf8_valid(const char *bytes, size_t len)
{
    const char *at = bytes, *end = len > 0 ? bytes + len : bytes;
    while (at != end) {
        if (utf8_next(&at, end) == UTF8_BAD)
            return false;
    }
    return true;
}

struct range {
    uint32_t first, last;
};

/* Unicode's White_Space: trimmed at the ends. */
static const struct range SPACE[] = {
    {0x09, 0x0d},     {0x20, 0x20},     {0x85, 0x85},     {0xa0, 0xa0},     {0x1680, 0x1680},
    {0x2000, 0x200a}, {0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000},
};

/* Refused anywhere; the noncharacters at the end of each plane are tested by themselves. */
static const struct range FORBIDDEN[] = {
    {0x00, 0x1f},     {0x7f, 0x9f},     {0x061c, 0x061c}, {0x200e, 0x200f},
    {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfdd0, 0xfdef}, {0xfff9, 0xfffb},
};

/* Shows nothing by itself: fine between other characters, but not alone. */
static const struct range INVISIBLE[] = {
    {0x00ad, 0x00ad},   {0x034f, 0x034f},   {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f},
    {0x200b, 0x200d},   {0x2060, 0x2065},   {0x206a, 0x206f}, {0x2800, 0x2800}, {0x3164, 0x3164},
    {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0}, {0xfff0, 0xfff8}, {0x1bca0, 0x1bca3},
    {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};

static bool within(uint32_t point, const struct range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (point >= ranges[i].first && point <= ranges[i].last)
            return true;
    }
    return false;
}

#define WITHIN(point, ranges) within((point), (ranges), sizeof ranges / sizeof(ranges)[0])

static bool forbidden(uint32_t point)
{
    return (point & 0xfffe) == 0xfffe || WITHIN(point, FORBIDDEN);
}

/* Narrows [*from, *end) to what lies between the white space at its ends; false if it is no UTF-8.
 */
static bool trim(const char **from, const char **end)
{
    const char *first = NULL, *last = *from;
    for (const char *at = *from; at < *end;) {
        const char *begin = at;
        uint32_t point = utf8_next(&at, *end);
        if (point == UTF8_BAD)
            return false;
        if (WITHIN(point, SPACE))
            continue;
        if (!first)
            first = begin;
        last = at;
    }
    *from = first ? first : *end;
    *end = first ? last : *end;
    return true;
}

bool text_clean(char *out, size_t size, const char *in, size_t len, size_t chars_max)
{
    assert(size > 0);
    const char *from = in, *end = in + len;
    size_t chars = 0;
    bool seen = false;
    out[0] = '\0';
    if (!trim(&from, &end))
        return false;
    for (const char *at = from; at < end;) {
        uint32_t point = utf8_next(&at, end);
        if (forbidden(point) || ++chars > chars_max)
            return false;
        seen = seen || !(WITHIN(point, INVISIBLE) || WITHIN(point, SPACE));
    }
    if (!seen || (size_t)(end - from) >= size)
        return false;
    memcpy(out, from, (size_t)(end - from));
    out[end - from] = '\0';
    return true;
}
