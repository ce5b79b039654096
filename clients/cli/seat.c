#include "seat.h"

#include <protocol/encoding.h>
#include <sodium.h>
#include <string.h>

const char *const seat_colours[] = {"red", "white", "yellow", "brown", "black", NULL};

void seat_take(struct online *online, const char *room, int seat, const char *colour,
               bool watch_only, wire_reply_fn *reply)
{
    json_t *request =
        request_make(watch_only ? "watch" : "join", room, "code", online->invocation->online.code);
    if (!watch_only && seat != SEAT_ANY)
        json_object_set_new(request, "seat", json_integer(seat));
    if (!watch_only && colour)
        json_object_set_new(request, "colour", json_string(colour));
    if (wire_client_request(online->client, request, reply, online) < 0)
        online_stop(online, EXIT_USAGE);
}

void seat_ready(struct online *online, const char *room, wire_reply_fn *reply)
{
    uint8_t random[16];
    char nonce[2 * sizeof(random) + 1];
    randombytes_buf(random, sizeof(random));
    hex_encode(nonce, random, sizeof(random));
    json_t *request = request_make("ready", room, "nonce", nonce);
    json_object_set_new(request, "ready", json_true());
    wire_client_request(online->client, request, reply, online);
}

bool state_is(const json_t *state, const char *phase)
{
    const char *now = json_string_value(json_object_get(state, "phase"));
    return now && strcmp(now, phase) == 0;
}

static const json_t *of_seat(const json_t *object, int seat)
{
    char key[16];
    snprintf(key, sizeof(key), "%d", seat);
    return json_object_get(object, key);
}

const json_t *state_seat(const json_t *state, int seat)
{
    return of_seat(json_object_get(state, "seats"), seat);
}

bool seat_is_ready(const json_t *state, int seat)
{
    return json_is_true(json_object_get(state_seat(state, seat), "ready"));
}

bool all_are_ready(const json_t *state)
{
    const json_t *players = json_object_get(json_object_get(state, "options"), "players");
    int count = (int)json_integer_value(players);
    for (int seat = 0; seat < count; seat++) {
        if (!seat_is_ready(state, seat))
            return false;
    }
    return count > 0;
}
