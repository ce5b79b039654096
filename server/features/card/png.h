/* A drawing as a picture: painted twice as large and made smaller, written as PNG. */
#ifndef CARD_PNG_H
#define CARD_PNG_H

#include <stdbool.h>
#include <stddef.h>

struct buffer;
struct game_shape;

enum { PNG_WIDTH = 800, PNG_HEIGHT = 420 };

/* As large as it fits, in the middle of the sea. False: out of memory. On any thread. */
bool png_write(const struct game_shape *shapes, size_t count, struct buffer *out);

#endif
