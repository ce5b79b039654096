/*
 * Hints and analyses: whatever happened to the workers, whoever gets one gets what a search of the
 * durable room finds with the same budget.
 */
#include "client.h"
#include <protocol/buffer.h>
#include <protocol/json_writer.h>
#include <room/analysis.h>
#include <room/hint.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const atomic_bool never;

static struct game_thinking thinking_of(const struct sim *sim)
{
    struct game_thinking thinking = {.cancel = &never,
                                     .simulations_max = (uint32_t)sim->config.think_simulations};
    thinking.memory = thinkers_memory(&thinking.memory_bytes);
    return thinking;
}

/* A new reference. */
static json_t *parsed(struct buffer *buffer)
{
    json_t *value = json_loadb(buffer_payload(buffer), buffer->len, JSON_REJECT_DUPLICATES, NULL);
    buffer_release(buffer);
    return value;
}

/* A new reference. */
static json_t *hint_of(const struct sim *sim, const struct room *room, uint8_t seat)
{
    struct game_thinking thinking = thinking_of(sim);
    struct room_hint *hint = room_ask_hint(room, seat);
    bool quick = sim->thinkers == 0 || (hint && hint->game->computer->hint_bytes == 0);
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, 1 << 20);
    writer_init(&writer, &buffer);
    if (!hint || !room_hint_make(hint, quick ? NULL : &thinking))
        sim_fail(sim, "a hint cannot be made");
    writer_object(&writer);
    room_hint_write(hint, &writer);
    writer_end(&writer);
    free(hint);
    return parsed(&buffer);
}

void check_hint(const struct sim *sim, const struct client *client, const struct ask *ask,
                const json_t *ok)
{
    const struct truth *truth = oracle_room(&sim->oracle, ask->room);
    mark(sim->thinkers > 0 ? MARK_HINT_GIVEN : MARK_HINT_QUICK);
    if ((uint64_t)number_of(ok, "seq") != truth->count)
        return; /* the room has gone on */
    json_t *own = hint_of(sim, truth->room, room_seat_of(truth->room, client->session));
    if (!json_equal(json_object_get(own, "turns"), json_object_get(ok, "turns")))
        sim_fail(sim, "client %u is told another hint in room %s", client->index, ask->room);
    json_decref(own);
    mark(MARK_HINT_COMPARED);
}

/* Works it out once: a match that is over stays as it is. */
static uint64_t analysis_hash(const struct sim *sim, struct truth *truth)
{
    struct game_thinking thinking = thinking_of(sim);
    struct buffer buffer;
    if (truth->analysis_hash != 0)
        return truth->analysis_hash;
    struct room_played *played = room_played_create(truth->room);
    buffer_init(&buffer, 0, 1 << 20);
    if (!played || !room_analyse(played, &thinking, &buffer))
        sim_fail(sim, "an analysis cannot be made");
    room_played_destroy(played);
    json_t *analysis = parsed(&buffer);
    truth->analysis_hash = json_hash(analysis);
    json_decref(analysis);
    return truth->analysis_hash;
}

static struct truth *truth_of(struct sim *sim, const char *room)
{
    for (size_t i = 0; i < sim->oracle.count; i++) {
        if (strcmp(sim->oracle.rooms[i].id, room) == 0)
            return &sim->oracle.rooms[i];
    }
    return NULL;
}

void check_analysis(struct sim *sim, const struct ask *ask, const json_t *ok)
{
    struct truth *truth = truth_of(sim, ask->room);
    if (!truth || room_phase(truth->room) != PROTOCOL_PHASE_OVER)
        sim_fail(sim, "room %s is analysed and is not over on the disk", ask->room);
    if (json_hash(json_object_get(ok, "analysis")) != analysis_hash(sim, truth))
        sim_fail(sim, "room %s has another analysis", ask->room);
    mark(MARK_ANALYSED);
    if (truth->analysed > 0)
        mark(truth->analysed == sim->starts ? MARK_ANALYSED_AGAIN : MARK_ANALYSED_AFTER_RESTART);
    truth->analysed = sim->starts;
}

void check_no_thought(const struct sim *sim, const struct ask *ask, const char *code)
{
    static const struct {
        const char *op, *code;
        enum mark mark;
    } rows[] = {{"hint", "moved_on", MARK_HINT_MOVED_ON},
                {"analysis", "not_over", MARK_ANALYSIS_TOO_EARLY},
                {"analysis", "no_analysis", MARK_ANALYSIS_NOT_MADE}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(ask->op, rows[i].op) == 0 && strcmp(code, rows[i].code) == 0)
            mark(rows[i].mark);
    }
    const struct truth *truth = oracle_room(&sim->oracle, ask->room);
    if (strcmp(code, "no_analysis") == 0 && sim->thinkers > 0 && truth &&
        room_analysis_bytes(truth->room) > 0)
        sim_fail(sim, "room %s is not analysed, and could be", ask->room);
}
