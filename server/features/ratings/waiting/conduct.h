/*
 * How reliable somebody is who seeks: what has become of the last tables that were found for them,
 * kept at their home. Whoever lets others wait too often seeks not for a while.
 *
 * Nobody is to blame who could not know, once in a row; and while a server is only just there.
 */
#ifndef RATINGS_CONDUCT_H
#define RATINGS_CONDUCT_H

#include "gave_up.h"
#include <hub/bucket.h>
#include <hub/letter.h>
#include <hub/store_row.h>
#include <protocol/limits.h>

struct hub;
struct room_result;
struct session;

enum {
    CONDUCT_OUTCOMES = 30, /* the last ones */
    CONDUCT_ROW_OF_BAD = 6,
    CONDUCT_SCORE = 40,        /* tenths: how grave they are together */
    CONDUCT_SHARE = 2,         /* bad ones ... */
    CONDUCT_SHARE_OF = 5,      /* ... of so many */
    CONDUCT_PAUSE_MS = 600000, /* the first one */
    CONDUCT_PAUSE_FACTOR = 3,
    CONDUCT_PAUSE_MAX_MS = 86400000,
    CONDUCT_DAY_MS = 86400000,
    CONDUCT_FORGETS_DAYS = 3, /* after which a pause is the first one again */
    /* To ask that a match is called off is nothing, so many times: all others have agreed to it. */
    CONDUCT_ASKS_FREE = 2,
    /* Who has no time left has let the others wait if the last turn alone was so long, or such a
     * part of what the clock gives for so many turns: else they were slow, and played. */
    CONDUCT_IDLE_MS = 15000,
    CONDUCT_IDLE_PART = 12,
    CONDUCT_IDLE_TURNS = 20,
};

/* What became of one. */
enum conduct_outcome {
    CONDUCT_GOOD = 'g',
    CONDUCT_LAPSED = 'n',      /* was not ready */
    CONDUCT_ABORTED = 'a',     /* has ended a match that had hardly begun */
    CONDUCT_LEFT = 'l',        /* was not there at the end */
    CONDUCT_TIMED_OUT = 't',   /* let their time run out, in one turn */
    CONDUCT_GAVE_UP = GAVE_UP, /* resigned long before the end: nobody had to wait */
    CONDUCT_ASKED_OFF = 'c',   /* was the first one to ask that it is called off */
};

struct conduct_row {
    uint64_t session;
    int64_t paused_ms; /* when the last pause began; 0: there was none */
    int64_t pause_ms;  /* how long it is */
    char outcomes[CONDUCT_OUTCOMES + 1];
};

/* What is known of it at home. Most have done nothing yet. */
struct conduct {
    struct conduct_row *row;             /* NULL: nothing */
    char found[PROTOCOL_ROOM_BYTES + 1]; /* the last table that they were told of */
    /* "", or since then: the one that they could not know of, and that was forgiven. */
    char forgiven[PROTOCOL_ROOM_BYTES + 1];
    struct bucket seeks; /* how often they say that they seek */
};

extern const struct store_table conduct_table;
extern const char conduct_letter[];
enum { CONDUCT_OPS = 1, CONDUCT_TEXT = PROTOCOL_ROOM_BYTES + 2 };

/* Has that seat, whose time ran out, let the others wait? A pure computation, as the next ones. */
bool conduct_idles(const struct room_result *result, unsigned seat);
/* One more: whether a pause begins by it. */
bool conduct_add(struct conduct_row *row, enum conduct_outcome outcome, int64_t now_ms);
/* Until when; 0: it is over, or there is none. */
int64_t conduct_paused_until_ms(const struct conduct_row *row, int64_t now_ms);

/* Of somebody who is at home here. */
int64_t conduct_until_ms(const struct hub *hub, const struct session *session);
/* They were told, here and now, that a match was found in that room. */
void conduct_knows(struct hub *hub, const struct session *session, const char *room);

/* Into the batch that fills: to their home. It is one op. */
void conduct_send(struct hub *hub, uint64_t session, const char *room,
                  enum conduct_outcome outcome);
/* In the batch of the last event of a match: to all who have played it. */
void conduct_send_all(struct hub *hub, const struct room_result *result);
enum letter_fate conduct_apply(struct hub *hub, const struct store_letter *letter);

/* False: out of memory. */
bool conduct_restore(struct hub *hub, const struct conduct_row *row);
void conduct_forget(struct hub *hub, const struct session *session);

#endif
