/* What a node does about each part, decided from what was seen: no thread, no clock, no database.
 */
#ifndef KEEPER_HOLDINGS_H
#define KEEPER_HOLDINGS_H

#include <keeper/keeper.h>

enum holding_state {
    HOLDING_NONE,
    HOLDING_TO_OPEN,
    HOLDING_OPENING,
    HOLDING_HAD,     /* it is served */
    HOLDING_LEAVING, /* it was asked back */
    HOLDING_TO_CLOSE,
    HOLDING_CLOSING,
};

struct holding {
    enum holding_state state;
    struct keeper_part part;      /* from when it is open on */
    struct postgres_owner silent; /* who had it when it was decided to take it */
    bool others;                  /* that was another node */
    bool sets_aside;              /* as in keeper_part, for the next opening */
    bool newer;                   /* it was not opened, as a later version has to do that */
    bool left_over;               /* nobody else has taken it: it is not given up for others yet */
    int64_t left_over_ms;         /* ... since then */
    unsigned failures;            /* in a row */
    int64_t retry_ms;             /* not before */
};

struct holdings {
    struct keeper_pace pace;
    const char *self;
    unsigned parts;
    bool leaving; /* nothing is taken any more */
    struct holding holding[PARTS_MAX];
    struct keeper_figures figures;
    uint64_t living; /* which nodes live, as one number */
    size_t others;   /* how many of them are not this one */
    int64_t newest;  /* the last life that has begun of any */
    int64_t changed_ms, gave_up_ms;
    bool cut_off; /* clients are better off at other nodes (membership_is_cut_off) */
};

/* After each look. What is to be opened is HOLDING_TO_OPEN then; returns the part that is to be
 * taken back, -1: none. */
int holdings_decide(struct holdings *holdings, const struct membership_watch *watch);

/* Another one that is to be taken back at once, as nobody can be served with it here; -1: none. */
int holdings_give_next(struct holdings *holdings, const struct membership_watch *watch);

/* Of what is served here, the parts that the last look shows with a later term, a bit each: another
 * node has opened them. */
uint64_t holdings_lost(const struct holdings *holdings, const struct membership_watch *watch);

/* What is to be done next, closing first; NULL: nothing. */
struct holding *holdings_next(struct holdings *holdings, unsigned openings_max);

/* What was begun has come to this. */
void holdings_opened(struct holdings *holdings, unsigned part, const struct keeper_part *opened);
void holdings_failed(struct holdings *holdings, unsigned part, enum store_result why,
                     int64_t now_ms);
void holdings_given(struct holdings *holdings, unsigned part);
void holdings_closed(struct holdings *holdings, unsigned part);

/* Whoever served it does not any more. */
void holdings_ended(struct holdings *holdings, unsigned part, enum store_result why,
                    int64_t now_ms);

/* Nothing is taken any more; `all`: and what is had is closed, as nobody serves it. */
void holdings_leave(struct holdings *holdings, bool all);
bool holdings_empty(const struct holdings *holdings);
unsigned holdings_had(const struct holdings *holdings); /* how many are served */

/* The other nodes that live: their places in the look. Returns how many there are. */
size_t holdings_others(const struct holdings *holdings, const struct membership_watch *watch,
                       size_t places[static MEMBERSHIP_NODES_MAX]);

#endif
