#include <room/analysis.h>

#include "room_internal.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

size_t room_analysis_bytes(const struct room *room)
{
    const struct game_analyst *analyst = room->setup.game->analyst;
    return analyst ? analyst->memory_bytes : 0;
}

/* Is this event one that the game was played with? */
static bool is_played(const struct log *log, uint64_t seq)
{
    const struct log_entry *entry = &log->entries[seq - 1];
    if (entry->kind == ROOM_MOVE)
        return entry->undone_by == 0;
    return entry->kind == ROOM_RESIGNED || entry->kind == ROOM_TIMED_OUT;
}

static void fill(const struct log *log, struct room_played *played)
{
    for (uint64_t seq = 1; seq <= log->count; seq++) {
        const struct log_entry *entry = &log->entries[seq - 1];
        if (!is_played(log, seq))
            continue;
        bool moved = entry->kind == ROOM_MOVE;
        played->moves[played->count++] = (struct game_played){
            .move = moved ? played->text + entry->text_at : NULL,
            .len = moved ? entry->text_len : 0,
            .seat = entry->seat,
        };
    }
}

struct room_played *room_played_create(const struct room *room)
{
    const struct log *log = &room->log;
    const struct game_type *game = room->setup.game;
    assert(game->analyst && room->match->phase == PROTOCOL_PHASE_OVER);
    struct room_played *played = calloc(1, sizeof *played + log->count * sizeof played->moves[0]);
    if (!played)
        return NULL;
    played->game = game;
    played->value = malloc(game->size);
    played->text = malloc(log->text_len);
    if (!played->value || !played->text) {
        room_played_destroy(played);
        return NULL;
    }
    memcpy(played->value, match_game_of(room->match), game->size);
    memcpy(played->text, log->text, log->text_len);
    fill(log, played);
    return played;
}

void room_played_destroy(struct room_played *played)
{
    if (!played)
        return;
    free(played->value);
    free(played->text);
    free(played);
}

bool room_analyse(const struct room_played *played, struct game_thinking *thinking,
                  struct buffer *out)
{
    const struct game_analyst *analyst = played->game->analyst;
    struct writer writer;
    assert(thinking->memory_bytes >= analyst->memory_bytes);
    writer_init(&writer, out);
    return analyst->analyse(played->value, played->moves, played->count, thinking, &writer) &&
           !out->failed;
}
