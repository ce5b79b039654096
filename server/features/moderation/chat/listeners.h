/*
 * Who waits for the next line: requests `chat` that are answered when there is something new for
 * whoever asks, or after CHAT_HOLD_MS with nothing. So who is there by a connection that is lost,
 * or at a node that is, asks again, and nobody is remembered longer than that. There are
 * config.chat_listeners at most, LISTENERS_PER_SHARE of an address, and one of a connection.
 */
#ifndef CHAT_LISTENERS_H
#define CHAT_LISTENERS_H

#include <protocol/json_writer.h>
#include <protocol/terms.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call;
struct hub;
struct session;

enum { CHAT_HOLD_MS = 25000, CHAT_AGAIN_MS = 10000, LISTENERS_PER_SHARE = 64 };

struct chat_listener;
struct chat_listeners {
    struct chat_listener *first, *last; /* who has waited longest first */
    size_t count;
};

/* What somebody has heard: of which room, and up to which number. */
struct chat_heard {
    enum protocol_lang lang;
    int64_t have; /* -1: nothing */
};

/* Is there something behind that which the session is to be told? */
bool chat_has_news(const struct hub *hub, const struct session *session,
                   const struct chat_heard *heard);
/* What there is behind that, or all; `again`: it cannot wait here for more. */
void chat_answer(const struct call *call, const struct chat_heard *heard, bool again);

/* False: there is no place. */
bool chat_listeners_wait(const struct call *call, const struct chat_heard *heard);
/* Something has changed. */
void chat_listeners_tell(struct hub *hub);
int64_t chat_listeners_deadline_ms(const struct hub *hub);
void chat_listeners_tick(struct hub *hub);
void chat_listeners_release(struct chat_listeners *listeners);

#endif
