/*
 * What a message says beside its text, for the site that passes it on and reads no text of a hub's:
 * bytes, as they also go from one node to another (site/links/frame.h), so whoever reads them takes
 * nothing of it for granted. A place is an offset in the text.
 *
 *     HELLO     who has come: the answer to `hello`, and where its seats end, as there may be more
 *     ACCOUNT   the account that the client's session has from now on
 *     ROOMS     where in a list each room is, and what lists of several parts are merged by
 */
#ifndef HUB_FACTS_H
#define HUB_FACTS_H

#include <protocol/account.h>
#include <protocol/buffer.h>
#include <protocol/limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FACTS_BYTES_MAX = 65536 };

struct facts {
    const unsigned char *at;
    size_t len; /* 0: there are none */
};

struct facts_hello {
    uint64_t session;
    unsigned scopes; /* what it may ask (protocol/scope.h) */
    struct protocol_account account;
    char name[PROTOCOL_NAME_BYTES + 1];
    size_t seats_end; /* the place of the bracket behind its seats */
    bool any_seat;
    bool has_token;
    uint8_t token_hash[32]; /* of the device's token, if it has been given one */
};

struct facts_room {
    size_t place, len;
    bool own, lobby;
    char id[PROTOCOL_ROOM_BYTES + 1];
};

/* ---- by the hub, to an empty buffer */

/* But for the token, which may follow it. */
void facts_put_hello(struct buffer *facts, const struct facts_hello *hello);
void facts_put_token(struct buffer *facts, const uint8_t hash[static 32]);
void facts_put_account(struct buffer *facts, const struct protocol_account *account);
/* A room for each that the list has, in their order; `more`: there are others. */
void facts_begin_rooms(struct buffer *facts);
void facts_put_room(struct buffer *facts, const struct facts_room *room);
void facts_end_rooms(struct buffer *facts, bool more);

/* Behind the text of a page, where facts_split finds them. */
void facts_append(struct buffer *page, const struct buffer *facts);

/* ---- by the site; false: they are none of that kind */

bool facts_read_hello(struct facts facts, size_t text_len, struct facts_hello *hello);
bool facts_read_account(struct facts facts, struct protocol_account *account);
bool facts_read_rooms(struct facts facts, bool *more);
/* Of a page to which facts were appended: they, and how long its text is. */
bool facts_split(const unsigned char *page, size_t len, struct facts *facts, size_t *text_len);
/* The next room: `*at` starts as 0. False: there are no more. */
bool facts_next_room(struct facts facts, size_t text_len, size_t *at, struct facts_room *room);

#endif
