#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <rules/notation.h>

#include "vector.h"

const char *vector_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

long vector_number(const json_t *object, const char *key)
{
    return (long)json_integer_value(json_object_get(object, key));
}

taluva_tile vector_tile(const json_t *name)
{
    const char *text = json_string_value(name);
    taluva_tile tile = TALUVA_TILE_NONE;
    return text != NULL && taluva_tile_parse(text, strlen(text), &tile) ? tile : TALUVA_TILE_NONE;
}

static bool read_zone(const json_t *given, struct taluva_options *options)
{
    enum taluva_zone zone = TALUVA_ZONE_NONE;
    const bool known = json_is_null(json_object_get(given, "zone")) ||
                       taluva_zone_find(vector_text(given, "zone"), &zone);
    options->zone = (uint8_t)zone;
    return known;
}

static bool read_two_hex(const json_t *given, struct taluva_options *options)
{
    size_t i;
    json_t *name;
    json_array_foreach(json_object_get(given, "two_hex"), i, name)
    {
        const taluva_tile tile = vector_tile(name);
        if (!taluva_tile_is_two_hex(tile)) {
            return false;
        }
        options->two_hex |= (uint8_t)(1u << (tile - TALUVA_TILE_TWO_HEX));
    }
    return true;
}

size_t vector_setup(const json_t *line, struct taluva_options *options,
                    taluva_tile deck[TALUVA_TILES_MAX])
{
    const json_t *given = json_object_get(line, "options"), *tiles = json_object_get(line, "deck");
    const size_t n = json_array_size(tiles);
    *options = (struct taluva_options){
        .seats = (uint8_t)vector_number(given, "seats"),
        .tiles = (uint8_t)n,
        .huts_anywhere = strcmp(vector_text(given, "huts"), "anywhere") == 0,
        .teams = json_is_true(json_object_get(given, "teams")),
        .ranking = json_is_true(json_object_get(given, "ranking")),
        .boats = json_is_true(json_object_get(given, "boats")),
    };
    if (n > TALUVA_TILES_MAX || !read_zone(given, options) || !read_two_hex(given, options)) {
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        deck[i] = vector_tile(json_array_get(tiles, i));
    }
    return n;
}

bool vector_each(const char *path, void (*visit)(void *ctx, const json_t *line), void *ctx)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        return false;
    }
    char *text = NULL;
    size_t room = 0;
    bool ok = true;
    for (ssize_t len; (len = getline(&text, &room, file)) > 0;) {
        json_error_t error;
        json_t *line = json_loadb(text, (size_t)len, 0, &error);
        if (line == NULL) {
            (void)printf("%s: %s\n", path, error.text);
            ok = false;
        } else {
            visit(ctx, line);
            json_decref(line);
        }
    }
    free(text);
    (void)fclose(file);
    return ok;
}
