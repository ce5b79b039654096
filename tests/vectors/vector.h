/*
 * What both kinds of vectors have in common: their options, and the names in them.
 */
#ifndef TESTS_VECTORS_VECTOR_H
#define TESTS_VECTORS_VECTOR_H

#include <jansson.h>

#include <rules/taluva.h>

/* "" and 0 where there is nothing. */
const char *vector_text(const json_t *object, const char *key);
long vector_number(const json_t *object, const char *key);

/* TALUVA_TILE_NONE for what names no tile. */
taluva_tile vector_tile(const json_t *name);

/* The options and the deck of a line; how many tiles the deck has, 0 if something is wrong. */
size_t vector_setup(const json_t *line, struct taluva_options *options,
                    taluva_tile deck[TALUVA_TILES_MAX]);

/* Calls `visit` with every line of a file; false if one is not JSON or there is no file. */
bool vector_each(const char *path, void (*visit)(void *ctx, const json_t *line), void *ctx);

#endif
