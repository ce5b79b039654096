#include "replay_stage.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct replay replay_all_of(const struct game *of, const json_t *game, char *shown, size_t size)
{
    const struct game *const games[] = {of, NULL};
    char *text;
    size_t len;
    games_set(games);
    struct replay replay = {.positions = false};
    replay.out = open_memstream(&text, &len);
    ck_assert_ptr_nonnull(replay.out);
    char *line = json_dumps(game, JSON_COMPACT);
    ck_assert_ptr_nonnull(line);
    replay_objects(&replay, of, "test", line, strlen(line));
    free(line);
    fclose(replay.out);
    snprintf(shown, size, "%s", text);
    free(text);
    return replay;
}

void replay_change(json_t *at, const char *path, const char *value)
{
    char copy[64];
    snprintf(copy, sizeof copy, "%s", path);
    char *step = strtok(copy, "."), *next;
    for (; (next = strtok(NULL, ".")) != NULL; step = next)
        at = json_is_array(at) ? json_array_get(at, (size_t)atoi(step)) : json_object_get(at, step);
    if (!value)
        ck_assert_int_eq(json_array_remove(at, (size_t)atoi(step)), 0);
    else if (json_is_array(at))
        ck_assert_int_eq(
            json_array_set_new(at, (size_t)atoi(step), json_loads(value, JSON_DECODE_ANY, NULL)),
            0);
    else
        ck_assert_int_eq(json_object_set_new(at, step, json_loads(value, JSON_DECODE_ANY, NULL)),
                         0);
}
