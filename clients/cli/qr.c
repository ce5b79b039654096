#include "qr.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* At level M: all codewords, those that correct a block, and the number of blocks. */
static const struct version {
    int codewords, correcting, blocks;
    int last_centre; /* of alignment patterns; from version 7 on there is one halfway too */
} versions[] = {
    {26, 10, 1, 0},   {44, 16, 1, 18},  {70, 26, 1, 22},  {100, 18, 2, 26}, {134, 24, 2, 30},
    {172, 16, 4, 34}, {196, 18, 4, 38}, {242, 22, 4, 42}, {292, 22, 5, 46}, {346, 26, 5, 50},
};
enum {
    VERSIONS = sizeof versions / sizeof versions[0],
    CODEWORDS_MAX = 346,
    CORRECTING_MAX = 26,
    MASKS = 8,
};

static int data_codewords(int v)
{
    const struct version *version = &versions[v - 1];
    return version->codewords - version->correcting * version->blocks;
}

static int length_bits(int v)
{
    return v < 10 ? 8 : 16;
}

/* The smallest version that holds so many bytes; 0: none does. */
static int version_for(size_t count)
{
    for (int v = 1; v <= VERSIONS; v++) {
        if (4 + (size_t)length_bits(v) + 8 * count <= 8 * (size_t)data_codewords(v))
            return v;
    }
    return 0;
}

/* ---- codewords */

struct bits {
    uint8_t bytes[CODEWORDS_MAX];
    int count;
};

static void put_bits(struct bits *bits, unsigned value, int count)
{
    for (int i = count - 1; i >= 0; i--, bits->count++) {
        if (value >> i & 1)
            bits->bytes[bits->count / 8] |= (uint8_t)(0x80 >> bits->count % 8);
    }
}

/* Mode, length, bytes, end, and what fills the rest. */
static void put_text(struct bits *bits, const char *text, size_t len, int v)
{
    const int most = 8 * data_codewords(v);
    put_bits(bits, 4, 4);
    put_bits(bits, (unsigned)len, length_bits(v));
    for (size_t i = 0; i < len; i++)
        put_bits(bits, (unsigned char)text[i], 8);
    bits->count += most - bits->count < 4 ? most - bits->count : 4;
    bits->count = (bits->count + 7) / 8 * 8;
    for (unsigned pad = 0xec; bits->count < most; pad ^= 0xec ^ 0x11)
        put_bits(bits, pad, 8);
}

/* A product in the field of 256 elements, modulo x^8 + x^4 + x^3 + x^2 + 1. */
static uint8_t multiply_field(uint8_t a, uint8_t b)
{
    unsigned product = 0;
    for (int i = 7; i >= 0; i--) {
        product = product << 1 ^ (product >> 7) * 0x11d;
        product ^= (b >> i & 1U) * a;
    }
    return (uint8_t)product;
}

/* The remainder of a block divided by the generator of that degree. */
static void correct_block(const uint8_t *block, int len, int degree, uint8_t rest[CORRECTING_MAX])
{
    uint8_t generator[CORRECTING_MAX + 1] = {1};
    uint8_t root = 1;
    for (int i = 0; i < degree; i++, root = multiply_field(root, 2)) {
        for (int at = i + 1; at > 0; at--)
            generator[at] ^= multiply_field(generator[at - 1], root);
    }
    memset(rest, 0, CORRECTING_MAX);
    for (int i = 0; i < len; i++) {
        const uint8_t factor = block[i] ^ rest[0];
        memmove(rest, rest + 1, CORRECTING_MAX - 1);
        rest[CORRECTING_MAX - 1] = 0;
        for (int at = 0; at < degree; at++)
            rest[at] ^= multiply_field(generator[at + 1], factor);
    }
}

/* The first codeword of each block, the second, and so on; then the same of what corrects them. */
static void interleave_blocks(const uint8_t *data, int v, uint8_t out[CODEWORDS_MAX])
{
    const struct version *version = &versions[v - 1];
    const int count = version->blocks, all = data_codewords(v), brief = all / count;
    const int first_longer = count - all % count; /* blocks from this one have one more */
    for (int block = 0, at = 0; block < count; block++) {
        const int len = brief + (block >= first_longer);
        uint8_t rest[CORRECTING_MAX];
        correct_block(data + at, len, version->correcting, rest);
        for (int i = 0; i < len; i++)
            out[i < brief ? i * count + block : brief * count + block - first_longer] =
                data[at + i];
        for (int i = 0; i < version->correcting; i++)
            out[all + i * count + block] = rest[i];
        at += len;
    }
}

/* ---- modules */

enum module { LIGHT, DARK, FREE };

struct modules {
    int size;
    uint8_t at[QR_SIZE_MAX][QR_SIZE_MAX]; /* enum module */
};

static int larger_of(int a, int b)
{
    return abs(a) > abs(b) ? abs(a) : abs(b);
}

/* A square of rings round a centre; those of the two distances are light. */
static void put_square(struct modules *modules, int row, int column, int radius, int light,
                       int lighter)
{
    for (int r = row - radius; r <= row + radius; r++) {
        for (int c = column - radius; c <= column + radius; c++) {
            const int ring = larger_of(r - row, c - column);
            if (r >= 0 && c >= 0 && r < modules->size && c < modules->size)
                modules->at[r][c] = ring == light || ring == lighter ? LIGHT : DARK;
        }
    }
}

static void put_alignment(struct modules *modules, int v)
{
    const int last = versions[v - 1].last_centre;
    const int centres[3] = {6, last, (6 + last) / 2};
    const int count = v == 1 ? 0 : v < 7 ? 2 : 3;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            const bool at_finder = (i == 0 || j == 0) && i < 2 && j < 2;
            if (!at_finder)
                put_square(modules, centres[i], centres[j], 2, 1, 1);
        }
    }
}

/* What every code of a version has. */
static void put_patterns(struct modules *modules, int v)
{
    const int size = 17 + 4 * v;
    modules->size = size;
    memset(modules->at, FREE, sizeof modules->at);
    for (int i = 8; i < size - 8; i++)
        modules->at[6][i] = modules->at[i][6] = i % 2 == 0 ? DARK : LIGHT;
    put_alignment(modules, v);
    put_square(modules, 3, 3, 4, 2, 4);
    put_square(modules, 3, size - 4, 4, 2, 4);
    put_square(modules, size - 4, 3, 4, 2, 4);
}

/* Bits with those that check them: divided by a polynomial of that degree. */
static unsigned add_check_bits(unsigned value, unsigned polynomial, int degree)
{
    unsigned rest = value << degree;
    for (int bit = 31; bit >= degree; bit--) {
        if (rest >> bit & 1)
            rest ^= polynomial << (bit - degree);
    }
    return value << degree | rest;
}

/* Which mask, and how large. Level M is 00. */
static void put_format(struct modules *modules, int v, int mask)
{
    const int size = modules->size;
    const unsigned format = add_check_bits((unsigned)mask, 0x537, 10) ^ 0x5412;
    const unsigned version = add_check_bits((unsigned)v, 0x1f25, 12);
    for (int i = 0; i < 15; i++) {
        const uint8_t module = format >> i & 1 ? DARK : LIGHT;
        modules->at[i < 6 ? i : i < 8 ? i + 1 : size - 15 + i][8] = module;
        modules->at[8][i < 8 ? size - 1 - i : i < 9 ? 7 : 14 - i] = module;
    }
    modules->at[size - 8][8] = DARK;
    for (int i = 0; v >= 7 && i < 18; i++) {
        const int far = size - 11 + i % 3, near = i / 3;
        modules->at[near][far] = modules->at[far][near] = version >> i & 1 ? DARK : LIGHT;
    }
}

/* Where a mask turns modules over. */
static bool is_turned(int mask, int r, int c)
{
    switch (mask) {
    case 0:
        return (r + c) % 2 == 0;
    case 1:
        return r % 2 == 0;
    case 2:
        return c % 3 == 0;
    case 3:
        return (r + c) % 3 == 0;
    case 4:
        return (r / 2 + c / 3) % 2 == 0;
    case 5:
        return r * c % 2 + r * c % 3 == 0;
    case 6:
        return (r * c % 2 + r * c % 3) % 2 == 0;
    default:
        return ((r + c) % 2 + r * c % 3) % 2 == 0;
    }
}

/* Up and down in columns of two, from the right. */
static void put_data(struct modules *modules, const uint8_t *codewords, int count, int mask)
{
    const int size = modules->size;
    int at = 0;
    bool up = true;
    for (int right = size - 1; right > 0; right -= right == 8 ? 3 : 2, up = !up) {
        for (int i = 0; i < 2 * size; i++) {
            const int row = up ? size - 1 - i / 2 : i / 2, column = right - i % 2;
            if (modules->at[row][column] != FREE)
                continue;
            const bool bit = at / 8 < count && codewords[at / 8] >> (7 - at % 8) & 1;
            modules->at[row][column] = bit != is_turned(mask, row, column) ? DARK : LIGHT;
            at++;
        }
    }
}

/* ---- which mask */

/* Runs of one colour, and what looks like a finder pattern, in one line. */
static int penalty_of_line(const uint8_t line[QR_SIZE_MAX], int size)
{
    int penalty = 0, run = 0;
    unsigned seen = 0;
    for (int i = 0; i < size; i++) {
        run = i > 0 && line[i] == line[i - 1] ? run + 1 : 1;
        penalty += run == 5 ? 3 : run > 5;
        seen = (seen << 1 | line[i]) & 0x7ff;
        penalty += i >= 10 && (seen == 0x5d0 || seen == 0x05d) ? 40 : 0;
    }
    return penalty;
}

static bool is_block(const struct modules *modules, int r, int c)
{
    const uint8_t module = modules->at[r][c];
    return module == modules->at[r - 1][c] && module == modules->at[r][c - 1] &&
           module == modules->at[r - 1][c - 1];
}

/* How hard a code is to read, as the standard counts it. */
static int penalty_of(const struct modules *modules)
{
    const int size = modules->size, all = size * size;
    int penalty = 0, dark = 0;
    for (int r = 0; r < size; r++) {
        uint8_t column[QR_SIZE_MAX];
        for (int c = 0; c < size; c++) {
            column[c] = modules->at[c][r];
            dark += modules->at[r][c];
            penalty += r > 0 && c > 0 && is_block(modules, r, c) ? 3 : 0;
        }
        penalty += penalty_of_line(modules->at[r], size) + penalty_of_line(column, size);
    }
    return penalty + 10 * (abs(20 * dark - 10 * all) / all);
}

bool qr_make(struct qr *qr, const char *text)
{
    const size_t len = strlen(text);
    const int v = version_for(len);
    struct bits bits = {.count = 0};
    uint8_t codewords[CODEWORDS_MAX];
    int best = 0;
    if (v == 0)
        return false;
    put_text(&bits, text, len, v);
    interleave_blocks(bits.bytes, v, codewords);
    for (int mask = 0; mask < MASKS; mask++) {
        struct modules modules;
        put_patterns(&modules, v);
        put_format(&modules, v, mask);
        put_data(&modules, codewords, versions[v - 1].codewords, mask);
        const int penalty = penalty_of(&modules);
        if (mask > 0 && penalty >= best)
            continue;
        best = penalty;
        qr->size = modules.size;
        for (int i = 0; i < modules.size * modules.size; i++)
            qr->dark[i / modules.size][i % modules.size] =
                modules.at[i / modules.size][i % modules.size] == DARK;
    }
    return true;
}
