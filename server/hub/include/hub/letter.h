/*
 * Letters: what a feature tells whoever a number is, from one part of the site to another, exactly
 * once.
 *
 *     the part of the cause:  kernel_send_letter --> in the batch of its cause: a row
 *                                                              |  a wake, which may be lost
 *     the addressee's part:   asks the store <-----------------'  or a look with the heartbeat
 *                             apply() --> in one batch: its effect, and the row dropped
 *
 * The row is addressed by a number that falls to a part as a session's does (hub/part.h), so it
 * does not matter how the site is divided, and when. It is durable with its cause or not at all,
 * and gone with its effect or not at all: whatever dies between two steps, it is applied once.
 *
 * Letters of one addressee are mostly applied in the order in which they were sent, but that is not
 * promised. There may be no such session any more: then it is applied by doing nothing. To one that
 * is to be dropped it waits until that is durable: else it may be there again.
 *
 * There is a bound of those of the whole site, whatever their state (hub_config.letters), of those
 * to one addressee, and of what people of one network have asked for of these. What would lead to
 * more is refused by the store, with `store_failing`: a request that is told by a letter, and a new
 * room, whose end is. What follows from what has been acknowledged is always stored: the end of a
 * match or of a session, and what a letter leads to. So beyond the bound there is no more than the
 * rooms and sessions lead to that are there; and nothing is ever left out.
 *
 * One that nobody knows, that its feature refuses or whose effect the store refuses is set aside,
 * and stops nothing. An operator sees it, and has it tried again or dropped.
 */
#ifndef HUB_LETTER_H
#define HUB_LETTER_H

#include <hub/store.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;

enum letter_fate {
    LETTER_APPLIED, /* all that it leads to is in the batch that fills */
    LETTER_REFUSED, /* it cannot be read, or makes no sense; nothing was put into the batch */
    LETTER_LATER,   /* not now; rows and letters that were put into the batch are taken back, and
                       nothing else was */
};

/* A kind of letters, of one feature. */
struct letter_row {
    const char *kind;         /* FEATURE.WHAT, at most STORE_LETTER_KIND_MAX bytes */
    size_t ops_max, text_max; /* that its effect puts into a batch at most; reserved before */
    /* Checks, then puts. What is changed in memory waits for the batch (kernel_change_session, and
     * of the desk kernel_change_hub). */
    enum letter_fate (*apply)(struct hub *hub, const struct store_letter *letter);
};

/* Addressed to the desk, the part that has what is the whole site's. */
enum { LETTER_TO_DESK = 0 };

struct kernel_letter {
    uint64_t addressee;
    const char *kind;
    const char *text; /* UTF-8 without a 0 */
    size_t text_len;  /* up to STORE_LETTER_TEXT_MAX */
    /* Its cause, with which it is refused: a room whose event is in the batch; or a session, whose
     * request it is: then it has to be within the bound. */
    const char *room_id; /* NULL: no room's */
    uint64_t session;    /* 0: no session's */
    /* The session ends with it (feature.session_ends): it is sent however many there are. */
    bool at_end;
};

#endif
