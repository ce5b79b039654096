/*
 * What a client is told is not older than what anybody had been told before it asked. Answers about
 * a room say so by their seq; the one to hello, which is put together of what several parts say one
 * after the other, by its seats: each was held at some time after the question.
 */
#include "../client.h"
#include "world.h"
#include <stdlib.h>
#include <string.h>

static size_t place_of(const struct world *world, const char *room)
{
    const struct truth *truth = oracle_room(&world->sim.oracle, room);
    return truth ? (size_t)(truth - world->sim.oracle.rooms) : SIZE_MAX;
}

static struct told *told_of(struct world *world, const char *room)
{
    const size_t at = place_of(world, room);
    return at < TOLD_ROOMS ? &world->told[at] : NULL;
}

void told_asked(struct world *world, const struct client *client, const char *text)
{
    for (size_t i = 0; i < CLIENT_ASKS; i++) {
        const struct ask *ask = &client->asks[i];
        struct asked *asked = &world->asked[client->index][i];
        if (ask->text != text)
            continue;
        const struct told *told = told_of(world, ask->room);
        asked->seq = told ? told->seq : 0;
        asked->step = world->sim.steps;
    }
}

static void note(struct world *world, const char *room, json_int_t seq)
{
    struct told *told = told_of(world, room);
    if (!told || seq < 0 || (uint64_t)seq <= told->seq)
        return;
    told->seq = (uint64_t)seq;
    told->step = world->sim.steps;
}

static bool shows_room(const char *op)
{
    return strcmp(op, "watch") == 0 || strcmp(op, "join") == 0 || strcmp(op, "moves") == 0;
}

/* A room in which nothing has happened for as long as anybody has known all of it. */
static bool is_quiet(const struct world *world, size_t at, const struct asked *asked)
{
    const struct told *told = &world->told[at];
    return told->seq == world->sim.oracle.rooms[at].count && told->step < asked->step;
}

/* Seats in parts that nobody has may be left out. */
static void check_seats(struct world *world, const struct client *client, const struct asked *asked,
                        const json_t *ok)
{
    const uint64_t session = strtoull(text_of(ok, "session"), NULL, 16);
    const json_t *seats = json_object_get(ok, "seats");
    for (size_t i = 0; i < json_array_size(seats); i++) {
        const json_t *one = json_array_get(seats, i);
        const char *room = text_of(one, "room");
        const size_t at = place_of(world, room);
        if (at >= TOLD_ROOMS || !is_quiet(world, at, asked))
            continue;
        node_mark(SEEN_SEAT_COMPARED);
        if (room_seat_of(world->sim.oracle.rooms[at].room, session) != number_of(one, "seat"))
            sim_fail(&world->sim, "client %u is told that it has seat %lld of room %s",
                     client->index, (long long)number_of(one, "seat"), room);
    }
}

static void check_answer(struct world *world, const struct client *client, const json_t *message)
{
    const json_t *ok = json_object_get(message, "ok");
    const json_int_t id = number_of(message, "id");
    for (size_t i = 0; ok && i < CLIENT_ASKS; i++) {
        const struct ask *ask = &client->asks[i];
        const struct asked *asked = &world->asked[client->index][i];
        if (!ask->sent || ask->id != id)
            continue;
        if (shows_room(ask->op) && number_of(ok, "seq") < (json_int_t)asked->seq)
            sim_fail(&world->sim,
                     "client %u is shown room %s at %lld, and before it asked %llu had been told",
                     client->index, ask->room, (long long)number_of(ok, "seq"),
                     (unsigned long long)asked->seq);
        if (strcmp(ask->op, "hello") == 0)
            check_seats(world, client, asked, ok);
        if (shows_room(ask->op))
            note(world, ask->room, number_of(ok, "seq"));
    }
}

void told_received(struct world *world, const struct client *client, const json_t *message)
{
    if (strcmp(text_of(message, "push"), "event") == 0)
        note(world, text_of(message, "room"), number_of(message, "seq"));
    else
        check_answer(world, client, message);
}
