#include "seat.h"

#include <protocol/encoding.h>
#include <sodium.h>
#include <string.h>

void seat_take(struct online *online, const char *room, int seat, const char *colour,
               bool watch_only, wire_reply_fn *reply, void *user)
{
    json_t *request =
        request_make(watch_only ? "watch" : "join", room, "code", online->invocation->online.code);
    if (!watch_only && seat != SEAT_ANY)
        json_object_set_new(request, "seat", json_integer(seat));
    if (!watch_only && colour)
        json_object_set_new(request, "colour", json_string(colour));
    if (wire_client_request(online->client, request, reply, user) < 0)
        online_stop(online, EXIT_USAGE);
}

json_t *seat_ready_request(const char *room)
{
    uint8_t random[16];
    char nonce[2 * sizeof random + 1];
    randombytes_buf(random, sizeof random);
    hex_encode(nonce, random, sizeof random);
    json_t *request = request_make("ready", room, "nonce", nonce);
    json_object_set_new(request, "ready", json_true());
    return request;
}

void seat_ready(struct online *online, const char *room, wire_reply_fn *reply, void *user)
{
    wire_client_request(online->client, seat_ready_request(room), reply, user);
}
