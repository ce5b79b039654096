/*
 * Who waits for a match, and who of them is put together: nearly equals at first, and the longer
 * one waits the wider. A pure computation: tickets and a time in, groups out.
 */
#ifndef RATINGS_POOL_H
#define RATINGS_POOL_H

#include <rating/update.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    POOL_ID_DIGITS = 16,
    POOL_TEAMS = 1, /* among sizes: two teams of two, of the first game alone (teams.h) */
    POOL_SIZE_MIN = 2,
    POOL_SIZE_MAX = 5,
    /* In points, and seconds. */
    POOL_WINDOW = 150,    /* how far apart two may be who have just come; and half a deviation */
    POOL_WIDENS = 10,     /* in a second */
    POOL_ANYBODY_S = 90,  /* after that anybody is taken */
    POOL_SIZE_BONUS = 60, /* that each player of a table is worth */
    POOL_GAMES = 2,
    POOL_KINDS = POOL_GAMES * (POOL_SIZE_MAX + 1), /* of tables: a game and a size */
    POOL_NEW_MATCHES = 3, /* so many rated ones, of any class, and nobody is new any more */
    POOL_NEW_CROWD = 4,   /* so many who are new, and no fewer than sit at it, play by themselves */
    POOL_MET_MS = 600000, /* who has just played together does not again, if others wait */
    POOL_FILL_S = 60,     /* after that computers may take the seats of who is missing */
    POOL_REACH_MIN = POOL_WINDOW,
    /* On each side, to the next one who fits; behind more of them nobody is looked for. */
    POOL_APART_PASSED_MAX = 16,
};

/* Of a game, from 0 on, tables of that size, or of POOL_TEAMS. */
static inline unsigned pool_kind(unsigned game, unsigned size)
{
    return game * (POOL_SIZE_MAX + 1) + size;
}

struct ticket {
    uint64_t session;
    int64_t since_ms;
    uint16_t kinds;  /* of tables, a bit for each that is taken: of one game, or of several */
    bool leaves;     /* has a group */
    bool computers;  /* may fill its table, beside two people at least */
    bool is_new;     /* is put together with others who are, if there are some */
    bool changes;    /* what it is to be is not stored yet: nothing is found for it now */
    uint8_t clocks;  /* a bit for each that is taken */
    uint16_t reach;  /* points that others may be away at most; 0: any, if it waits long enough */
    uint64_t source; /* where from (kernel_source); 0: that says nothing */
    uint32_t device; /* as their client calls it; 0: it does not say */
    uint64_t with;   /* is put together with that one alone, by nobody here; 0: with whoever fits */
    /* Ids in hex, in order, of whom it is not put together with, one behind the other. Borrowed. */
    const char *apart;
    size_t apart_count;
    struct rating rating[POOL_KINDS]; /* of kinds that are taken */
    uint64_t met[POOL_SIZE_MAX - 1];  /* with whom they have played last; 0: nobody */
    int64_t met_ms;                   /* when that began */
};

struct group {
    unsigned size;
    unsigned computers; /* seats beside them */
    uint8_t game;
    bool teams;               /* seat by seat in turn of one and the other */
    uint8_t clocks;           /* that all of them take */
    size_t at[POOL_SIZE_MAX]; /* of tickets */
};

/*
 * Those who go together now, group by group: of the oldest ticket that has a group first. Whoever
 * takes a group has its tickets leave before the next one is asked for. `work` has place for
 * POOL_WORK times `count`; it and the tickets are borrowed, and stay where they are.
 */
enum { POOL_WORK = 2 * POOL_KINDS, POOL_PASSES = 16 };
#define POOL_NOBODY SIZE_MAX
struct pool {
    const struct ticket *tickets;
    size_t count;
    int64_t now_ms, before_ms; /* only who has come before that */
    unsigned stage;
    size_t *order, waiting, at; /* by age, and who is next */
    size_t *weaker[POOL_KINDS]; /* of each ticket, whom it has beside it */
    size_t *stronger[POOL_KINDS];
    size_t crowd[POOL_KINDS]; /* so many would play at such a table */
    bool found;               /* in this pass */
    bool taken;               /* a group, since it was looked who is beside whom */
    bool apart;               /* who is new, and others, at some tables */
    unsigned passes;
    uint64_t steps; /* what it has cost: comparisons, and tickets that were looked at */
};
void pool_begin(struct pool *pool, const struct ticket *tickets, size_t count, int64_t now_ms,
                size_t *work);
bool pool_next(struct pool *pool, struct group *group);

/* POOL_ID_DIGITS of them. False: it is none. */
bool pool_read_id(const char *text, uint64_t *id);

/* Do both come from one household, or use one device? It may be one person, or they of one mind. */
bool pool_is_same_source(const struct ticket *one, const struct ticket *other);
bool pool_is_same_device(const struct ticket *one, const struct ticket *other);
/* Is one of them not to be put together with the other? */
bool pool_is_apart(const struct ticket *one, const struct ticket *other);

/* Have they, as that one knows, just played together? */
bool pool_has_met(const struct ticket *one, const struct ticket *other, int64_t now_ms);

/* How far from somebody else it may ever be, in thousandths; UINT64_MAX: as far as there is. */
uint64_t pool_reach(const struct ticket *ticket);
/* How far from somebody else that ticket may be by now, in thousandths. */
uint64_t pool_window(const struct ticket *ticket, unsigned kind, int64_t now_ms);

#endif
