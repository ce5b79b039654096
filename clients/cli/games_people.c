#include "games_people.h"

#include "when.h"
#include <cli/glyph.h>
#include <cli/state.h>
#include <stdio.h>
#include <string.h>

enum { HANDLE_COLUMNS = 21 };

/* Counts a match of that one. The newest match comes first, and is the one that is shown. */
static void count_match(json_t *people, const char *handle, const json_t *game)
{
    json_t *one = json_object_get(people, handle);
    if (one)
        json_object_set_new(one, "matches",
                            json_integer(json_integer_value(json_object_get(one, "matches")) + 1));
    else
        json_object_set_new(people, handle,
                            json_pack("{s:i, s:I}", "matches", 1, "at",
                                      json_integer_value(json_object_get(game, "at"))));
}

static void count_people(json_t *people, const json_t *game)
{
    const char *key;
    json_t *seat;
    json_object_foreach(json_object_get(game, "seats"), key, seat)
    {
        const char *handle = state_text(seat, "handle");
        if (*handle && state_seat_of_key(key) != state_number(game, "seat"))
            count_match(people, handle, game);
    }
}

static void print_one(const char *handle, const json_t *one, int64_t now_ms)
{
    char ago[WHEN_AGO];
    const int64_t matches = json_integer_value(json_object_get(one, "matches"));
    const int left = HANDLE_COLUMNS - glyph_columns(handle);
    when_ago(ago, now_ms - json_integer_value(json_object_get(one, "at")));
    putchar('@');
    glyph_print_text(handle, stdout);
    printf("%*s%3d %s  %s\n", left > 0 ? left : 1, "", (int)matches,
           matches == 1 ? "match  " : "matches", ago);
}

size_t games_people_print(const json_t *games, int64_t now_ms)
{
    json_t *people = json_object();
    const json_t *game, *one;
    const char *handle;
    size_t at;
    json_array_foreach(games, at, game) count_people(people, game);
    json_object_foreach(people, handle, one) print_one(handle, one, now_ms);
    const size_t count = json_object_size(people);
    json_decref(people);
    return count;
}
