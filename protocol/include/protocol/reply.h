/*
 * The envelopes of what a server sends: replies, refusals and pushes. Their contents are written by
 * the caller; only the frame is written here, so that it is in one place.
 *
 * `writer` is fresh for each message. `id` is a request's id or REQUEST_NO_ID (null on the wire).
 */
#ifndef PROTOCOL_REPLY_H
#define PROTOCOL_REPLY_H

#include <protocol/error.h>
#include <protocol/json_writer.h>
#include <protocol/terms.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {"id":7,"ok":{ ... }}: write the members in between. */
void reply_begin(struct writer *writer, int64_t id);
void reply_end(struct writer *writer);

/* A refusal of our own; `field` may be NULL or empty. */
void reply_error(struct writer *writer, int64_t id, enum protocol_error error, const char *field);

/*
 * Why a request was refused: an error of the protocol's table, or (error PROTOCOL_OK) one of a
 * game's own with `code` and `text`. Strings are static. `at` and `number` are details: the
 * offending place in the game's notation, a count; `retry_ms` when the request may succeed. What is
 * NULL, empty or 0 is not written.
 */
struct refusal {
    enum protocol_error error;
    const char *code, *text;
    const char *field;
    char at[16];
    bool has_number;
    int32_t number;
    int64_t retry_ms;
};

/* {"id":..,"error":{..}} */
void reply_refusal(struct writer *writer, int64_t id, const struct refusal *refusal);

/*
 * The object that is the "ok" or the "error" of a message, for whoever passes on what is in it
 * otherwise, and knows what message it is: one to that id, written by the functions above. Borrowed
 * from the text. False: the text is no such message.
 */
struct reply_contents {
    const char *at;
    size_t len;
};
bool reply_open(struct reply_contents *contents, int64_t id, bool refused, const char *text,
                size_t len);

/* {"push":"event","room":..,"seq":..,"at":..  }: then "event" and "patch", then push_end. */
void push_event_begin(struct writer *writer, const char *room, int64_t seq, int64_t at_ms);

/* {"push":"presence","room":..  }: the members in between, then push_end. `room` may be NULL. */
void push_begin(struct writer *writer, const char *push, const char *room);
void push_end(struct writer *writer);

/* {"push":"notice","code":..,"message":..}; `room` may be NULL. */
void push_notice(struct writer *writer, enum protocol_notice notice, const char *room,
                 const char *message);

#endif
