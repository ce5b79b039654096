#include "ratings_show.h"

#include <cli/glyph.h>
#include <cli/state.h>
#include <inttypes.h>
#include <jansson.h>
#include <protocol/encoding.h>
#include <protocol/json_read.h>
#include <rating/class.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wire/clean.h>

enum { LEADERS_SHOWN = 100, ACCOUNT_DIGITS = 16, NAME_COLUMNS = 24 };

struct showing {
    bool json;
    int64_t shown;
};

bool ratings_find_account(const struct pages *pages, char *path, size_t size)
{
    uint8_t bytes[ACCOUNT_DIGITS / 2];
    json_t *profile =
        json_loadb(buffer_payload(&pages->body), pages->body.len, JSON_REJECT_DUPLICATES, NULL);
    const char *account = json_string_value(json_object_get(profile, "account"));
    const bool found = account && hex_decode(bytes, sizeof bytes, account, strlen(account));
    if (found)
        (void)snprintf(path, size, "api/ratings/%s", account);
    else
        fputs("taluva: what the server has there cannot be read\n", stderr);
    json_decref(profile);
    return found;
}

int ratings_say_nobody(const char *handle)
{
    fprintf(stderr, "taluva: nobody has the handle %s\n", handle);
    return EXIT_REFUSED;
}

/* "1662 +- 580 ?" */
static void print_rating(const json_t *object)
{
    printf("%5d +- %3" PRId64 "%s %6d matches\n", state_number(object, "rating"),
           2 * (int64_t)state_number(object, "deviation"),
           json_is_true(json_object_get(object, "provisional")) ? " ?" : "  ",
           state_number(object, "matches"));
}

static void print_name(const json_t *object, const char *member)
{
    const char *name = json_string_value(json_object_get(object, member));
    name = name ? name : "?";
    glyph_print_text(name, stdout);
    for (int columns = glyph_columns(name); columns < NAME_COLUMNS; columns++)
        putchar(' ');
}

static bool show_object(void *ctx, const json_t *object)
{
    (void)ctx;
    return wire_print_object(object, stdout);
}

static bool keep_row(void *rows, const json_t *object)
{
    return json_array_append_new(rows, json_deep_copy(object)) == 0;
}

/* Further from all levels one is above or below them, in points. */
enum { LEVEL_NEAR = 150 };

static int distance(const json_t *level, int rating)
{
    return abs(state_number(level, "rating") - rating);
}

/* Which level of the computer plays about so well; NULL: nothing is known of them. */
static const json_t *nearest_level(const json_t *levels, int rating)
{
    const json_t *level, *nearest = NULL;
    size_t at;
    json_array_foreach(levels, at, level)
    {
        if (!nearest || distance(level, rating) < distance(nearest, rating))
            nearest = level;
    }
    return nearest;
}

static bool is_beyond(const json_t *levels, int rating, bool above)
{
    const json_t *level;
    size_t at;
    json_array_foreach(levels, at, level)
    {
        const int gap = rating - state_number(level, "rating");
        if ((above ? gap : -gap) <= LEVEL_NEAR)
            return false;
    }
    return true;
}

/* Behind the line of a rating that is known well. */
static void print_level(const json_t *levels, const json_t *row)
{
    const int rating = state_number(row, "rating");
    const json_t *nearest = nearest_level(levels, rating);
    const char *word = nearest ? json_string_value(json_object_get(nearest, "level")) : NULL;
    if (!word)
        return;
    printf("    %s the computer that is called ", is_beyond(levels, rating, true)    ? "better than"
                                                  : is_beyond(levels, rating, false) ? "below"
                                                                                     : "about");
    glyph_print_text(word, stdout);
    putchar('\n');
}

/* A server of before knows nothing of them. */
static int show_with_level(struct pages *pages, const json_t *row)
{
    const char *class = json_string_value(json_object_get(row, "class"));
    const unsigned number = class ? rating_class_find(class) : 0;
    char path[64];
    bool there = false;
    int result = EXIT_OK;
    json_t *levels = json_array();
    print_name(row, "class");
    print_rating(row);
    if (number != 0 && !json_is_true(json_object_get(row, "provisional"))) {
        (void)snprintf(path, sizeof path, "api/levels/%s", rating_class_at(number)->name);
        result = pages_fetch(pages, path, &there);
    }
    if (result == EXIT_OK && there)
        result = pages_lines(pages, keep_row, levels);
    if (result == EXIT_OK)
        print_level(levels, row);
    json_decref(levels);
    return result;
}

static bool show_leader(void *ctx, const json_t *object)
{
    struct showing *showing = ctx;
    showing->shown++;
    if (showing->json)
        return wire_print_object(object, stdout);
    printf("%3" PRId64 "  ", showing->shown);
    print_name(object, "handle");
    print_rating(object);
    return showing->shown < LEADERS_SHOWN;
}

int ratings_print(struct pages *pages, const char *handle, bool json)
{
    json_t *rows = json_array(), *row;
    size_t at;
    int result = pages_lines(pages, json ? show_object : keep_row, rows);
    if (result == EXIT_OK && json_array_size(rows) == 0 && !json)
        printf("%s has no ratings yet\n", handle);
    json_array_foreach(rows, at, row)
    {
        if (result == EXIT_OK)
            result = show_with_level(pages, row);
    }
    json_decref(rows);
    return result;
}

int leaders_print(const struct pages *pages, bool json)
{
    struct showing showing = {.json = json};
    const int result = pages_lines(pages, show_leader, &showing);
    if (result == EXIT_OK && showing.shown == 0 && !json)
        puts("nobody has a place in that list yet");
    return result;
}
