/*
 * Fetches the record of a match, which comes in pieces if it is long.
 */
#ifndef CLI_RECORD_FETCH_H
#define CLI_RECORD_FETCH_H

#include <protocol/buffer.h>
#include <wire/client.h>

/* One of both is NULL. An error of our own: code "lost" (that was no record). */
typedef void record_fetched_fn(void *user, const char *text, const json_t *error);

/* The caller's, zeros at first; it outlives the client, and is released then. */
struct record_fetch {
    struct wire_client *client;
    char room[PROTOCOL_ROOM_BYTES + 1];
    struct buffer text; /* the pieces so far */
    bool busy;
    record_fetched_fn *fetched;
    void *user;
};

/* Of a room that the client knows. Nothing, if it is busy already. */
void record_fetch_begin(struct record_fetch *fetch, struct wire_client *client, const char *room,
                        record_fetched_fn *fetched, void *user);
void record_fetch_release(struct record_fetch *fetch);

#endif
