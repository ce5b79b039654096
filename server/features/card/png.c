#include "png.h"

#include <games/game.h>
#include <math.h>
#include <protocol/buffer.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    FINE = 2, /* so many times finer it is painted, along both sides */
    WIDTH = PNG_WIDTH * FINE,
    HEIGHT = PNG_HEIGHT * FINE,
    MARGIN = 20 * FINE,
    COLOURS_MAX = 256,
    LINE_BYTES = 1 + 3 * PNG_WIDTH, /* how it is filtered, then red, green, blue of each */
    IMAGE_BYTES = LINE_BYTES * PNG_HEIGHT,
};

static const uint32_t SEA = 0x8fd0d6;
static const double LARGEST = 0.25; /* a hex of 692 units is not drawn wider, on small islands */

struct canvas {
    uint32_t colours[COLOURS_MAX];
    unsigned colour_count;
    double scale, left, top; /* of the drawing's units */
    uint8_t fine[HEIGHT][WIDTH];
    uint8_t image[IMAGE_BYTES];
};

/* ---- painting */

/* The last one for all that have no place. */
static uint8_t find_colour(struct canvas *canvas, uint32_t rgb)
{
    for (unsigned at = 0; at < canvas->colour_count; at++) {
        if (canvas->colours[at] == rgb)
            return (uint8_t)at;
    }
    if (canvas->colour_count == COLOURS_MAX)
        return COLOURS_MAX - 1;
    canvas->colours[canvas->colour_count] = rgb;
    return (uint8_t)canvas->colour_count++;
}

static void fit_drawing(struct canvas *canvas, const struct game_shape *shapes, size_t count)
{
    double left = 0, right = 1, top = 0, bottom = 1;
    for (size_t i = 0; i < count; i++) {
        for (unsigned k = 0; k < shapes[i].count; k++) {
            const struct game_point point = shapes[i].points[k];
            left = fmin(left, point.x);
            right = fmax(right, point.x);
            top = fmin(top, point.y);
            bottom = fmax(bottom, point.y);
        }
    }
    const double wide = (WIDTH - 2 * MARGIN) / (right - left);
    const double high = (HEIGHT - 2 * MARGIN) / (bottom - top);
    canvas->scale = fmin(LARGEST, fmin(wide, high));
    canvas->left = WIDTH / 2.0 - canvas->scale * (left + right) / 2;
    canvas->top = HEIGHT / 2.0 - canvas->scale * (top + bottom) / 2;
}

/* Where a line through the middle of the row crosses the shape. False: nowhere. */
static bool cross_shape(const struct canvas *canvas, const struct game_shape *shape, int row,
                        double *from, double *to)
{
    const double y = (row + 0.5 - canvas->top) / canvas->scale;
    *from = INFINITY;
    *to = -INFINITY;
    for (unsigned i = 0; i < shape->count; i++) {
        const struct game_point a = shape->points[i], b = shape->points[(i + 1) % shape->count];
        if ((a.y <= y) == (b.y <= y))
            continue;
        const double x = a.x + (y - a.y) * (b.x - a.x) / (b.y - a.y);
        *from = fmin(*from, x);
        *to = fmax(*to, x);
    }
    *from = canvas->left + canvas->scale * *from;
    *to = canvas->left + canvas->scale * *to;
    return *from < *to;
}

static int within(double value, int most)
{
    return (int)fmax(0, fmin(most, value));
}

static void paint_shape(struct canvas *canvas, const struct game_shape *shape)
{
    const uint8_t colour = find_colour(canvas, shape->rgb);
    double top = INFINITY, bottom = -INFINITY, from, to;
    for (unsigned i = 0; i < shape->count; i++) {
        const double y = canvas->top + canvas->scale * shape->points[i].y;
        top = fmin(top, y);
        bottom = fmax(bottom, y);
    }
    const int end = within(ceil(bottom), HEIGHT);
    for (int row = within(floor(top), HEIGHT); row < end; row++) {
        if (!cross_shape(canvas, shape, row, &from, &to))
            continue;
        const int first = within(round(from), WIDTH), last = within(round(to), WIDTH);
        memset(&canvas->fine[row][first], colour, (size_t)(last - first));
    }
}

static uint8_t mean_of(const struct canvas *canvas, const uint8_t colours[static FINE * FINE],
                       unsigned shift)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < FINE * FINE; i++)
        sum += (canvas->colours[colours[i]] >> shift) & 0xff;
    return (uint8_t)(sum / (FINE * FINE));
}

static bool all_same(const uint8_t colours[static FINE * FINE])
{
    bool same = true;
    for (unsigned i = 1; i < FINE * FINE; i++)
        same = same && colours[i] == colours[0];
    return same;
}

/* Most of it is one colour. */
static void put_pixel(const struct canvas *canvas, unsigned x, unsigned y, uint8_t to[static 3])
{
    uint8_t colours[FINE * FINE];
    for (unsigned i = 0; i < FINE * FINE; i++)
        colours[i] = canvas->fine[y * FINE + i / FINE][x * FINE + i % FINE];
    const bool same = all_same(colours);
    const uint32_t rgb = canvas->colours[colours[0]];
    for (unsigned i = 0; i < 3; i++) {
        const unsigned shift = 16 - 8 * i;
        to[i] = same ? (uint8_t)(rgb >> shift) : mean_of(canvas, colours, shift);
    }
}

static void make_smaller(struct canvas *canvas)
{
    uint8_t *to = canvas->image;
    for (unsigned y = 0; y < PNG_HEIGHT; y++) {
        *to++ = 0;
        for (unsigned x = 0; x < PNG_WIDTH; x++, to += 3)
            put_pixel(canvas, x, y, to);
    }
}

/* ---- writing */

static void put_number(uint8_t bytes[static 4], uint32_t number)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(number >> (24 - 8 * i));
}

static void add_chunk(struct buffer *out, const char *type, const uint8_t *data, size_t len)
{
    uint8_t number[4];
    uLong sum = crc32(crc32(0, (const Bytef *)type, 4), data, (uInt)len);
    put_number(number, (uint32_t)len);
    buffer_append(out, number, sizeof number);
    buffer_append(out, type, 4);
    buffer_append(out, data, len);
    put_number(number, (uint32_t)sum);
    buffer_append(out, number, sizeof number);
}

static bool write_image(const struct canvas *canvas, struct buffer *out)
{
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    uint8_t header[13] = {[8] = 8, [9] = 2}; /* 8 bits for each of red, green and blue */
    uLongf len = compressBound(IMAGE_BYTES);
    uint8_t *packed = malloc(len);
    const bool done =
        packed && compress2(packed, &len, canvas->image, IMAGE_BYTES, Z_BEST_SPEED) == Z_OK;
    if (done) {
        put_number(header, PNG_WIDTH);
        put_number(header + 4, PNG_HEIGHT);
        buffer_append(out, signature, sizeof signature);
        add_chunk(out, "IHDR", header, sizeof header);
        add_chunk(out, "IDAT", packed, len);
        add_chunk(out, "IEND", header, 0);
    }
    free(packed);
    return done && !out->failed;
}

bool png_write(const struct game_shape *shapes, size_t count, struct buffer *out)
{
    struct canvas *canvas = malloc(sizeof *canvas);
    if (!canvas)
        return false;
    canvas->colour_count = 0;
    memset(canvas->fine, find_colour(canvas, SEA), sizeof canvas->fine);
    fit_drawing(canvas, shapes, count);
    for (size_t i = 0; i < count; i++)
        paint_shape(canvas, &shapes[i]);
    make_smaller(canvas);
    const bool written = write_image(canvas, out);
    free(canvas);
    return written;
}
