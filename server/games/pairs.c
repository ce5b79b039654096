#include <assert.h>
#include <games/game.h>
#include <stdio.h>
#include <string.h>

void game_pairs_add(struct game_pairs *pairs, const char *name, const char *value)
{
    size_t size = strlen(value) + 1;
    assert(pairs->count < RECORD_PAIRS && size <= sizeof pairs->text - pairs->used);
    char *copy = pairs->text + pairs->used;
    memcpy(copy, value, size);
    pairs->used += size;
    pairs->pairs[pairs->count++] = (struct record_pair){.name = name, .value = copy};
}

void game_pairs_add_number(struct game_pairs *pairs, const char *name, unsigned number)
{
    char text[12];
    (void)snprintf(text, sizeof text, "%u", number);
    game_pairs_add(pairs, name, text);
}
