/*
 * Who waits for a match, as the desk has it: rows of the store and a ticket (pool.h) of each.
 */
#ifndef RATINGS_WAITING_H
#define RATINGS_WAITING_H

#include "named.h"
#include "pairing/meetings.h"
#include "pool/pool.h"
#include "said.h"
#include <hub/kernel_others.h>
#include <hub/store_row.h>
#include <protocol/account.h>
#include <protocol/limits.h>
#include <protocol/terms.h>
#include <rating/ledger.h>

/* SEEK_MET_MAX: who has played last, in memory alone: the oldest go.
 * SEEK_CHANGES_MAX: of which the store does not know yet; more of them wait.
 * WAITING_REACH_MAX: as far as any two can be apart. */
enum {
    WAITING_REACH_MAX = 4000,
    SEEK_CHANGES_MAX = 64,
    SEEK_MET_MAX = 1024,
    SEEK_APART_BYTES = KERNEL_BLOCKS_MAX * POOL_ID_DIGITS
};

/* Who waits. It is the desk's. */
struct seek_row {
    uint64_t session;
    int64_t since_ms, said_ms;
    uint8_t game, sizes;
    uint8_t kind; /* enum protocol_account_kind */
    char handle[PROTOCOL_HANDLE_BYTES + 1];
    char name[PROTOCOL_NAME_BYTES + 1];
    const char *apart; /* ids in hex, one behind the other, of whom they have blocked; borrowed */
};

/* The clocks that they may play with, as bits. Under each a move takes less than half an hour. */
enum waiting_clock { WAITING_NORMAL, WAITING_FAST, WAITING_CALM, WAITING_CLOCKS };

/* What they have said beside, a row of its own. Without one: any opponent, the normal clock. */
struct wish_row {
    uint64_t session;
    uint64_t with;   /* the account that alone is wanted; 0: whoever fits */
    uint64_t source; /* where they come from (kernel_source); 0: that says nothing */
    uint8_t clocks;  /* bits of enum waiting_clock, at least one */
    /* These are not kept, and said again with the seek. */
    bool young;      /* of who names somebody: too young an account to be rated with them */
    uint32_t device; /* as their client calls the device; 0: it does not say */
};

/* What they have chosen beside, a row of its own where it is not as without one: several games,
 * whom they would play with. */
struct choice_row {
    uint64_t session;
    uint16_t reach;    /* points that others may be away at most; 0: it widens to anybody */
    uint8_t games;     /* that they would take, a bit for each; of one the seek says it as well */
    uint8_t computers; /* 1: may fill a table at which others are missing */
};

/* A change of somebody's seek is in a batch that is not durable: what is in memory is older. */
struct seek_changing {
    uint64_t session;
    uint64_t source; /* where they come from, if they come: as in their wish */
    bool comes;      /* had no place when it began, and may take one */
};

/* A seat that is kept for who seeks, at a table (offer.h). */
struct seek_offer {
    int64_t until_ms;
    char room[PROTOCOL_ROOM_BYTES + 1]; /* "": none */
    bool declined;
    bool ends; /* which is not durable yet */
};

/* With whom somebody has played last. */
struct seek_met {
    uint64_t session;
    uint64_t others[POOL_SIZE_MAX - 1]; /* 0: nobody */
    int64_t at_ms;
};

struct hub;

struct seeks {
    struct ticket *tickets;
    struct seek_row *rows;      /* of each */
    struct wish_row *wishes;    /* the same */
    struct choice_row *choices; /* the same */
    struct seek_offer *offers;  /* the same */
    char **apart;               /* the same: what its row and its ticket borrow */
    size_t *work;
    size_t count, most;
    struct seek_changing changing[SEEK_CHANGES_MAX];
    size_t changing_count;
    struct seek_met *met; /* SEEK_MET_MAX of them, round and round */
    size_t met_next;
    struct named named;
    struct said said;
    int64_t looked_ms; /* when it was looked for groups */
    uint64_t paired;   /* people, since the start */
};

extern const struct store_table seek_table, wish_table, choice_table;

/* The games that are played so, and the class of such a table; NULL: none. */
const char *waiting_game(unsigned game);
const char *waiting_class(unsigned game, unsigned size);
/* What is chosen without saying so: one game, and anybody. */
struct choice_row waiting_choice(uint64_t session, unsigned game);
/* Is it just that, of that game? Then it needs no row. */
bool waiting_is_plain(const struct choice_row *choice, unsigned game);
/* The same of a kind that is played. */
const char *waiting_class_of(unsigned kind);
/* How a clock is called, and what it gives. */
const char *waiting_clock_name(enum waiting_clock clock);
struct protocol_clock waiting_clock(enum waiting_clock clock);

int waiting_begin(struct seeks *seeks,
                  size_t most); /* <0: out of memory; to be ended all the same */
void waiting_end(struct seeks *seeks);
/* Where somebody is; seeks->count: they do not wait. */
size_t waiting_find(const struct seeks *seeks, uint64_t session);
/* Rows into the batch, so many changes at most: as it is from now on, or none. */
enum { WAITING_OPS = 3 };
void waiting_put_rows(struct hub *hub, const struct seek_row *row, const struct wish_row *wish,
                      const struct choice_row *choice);
void waiting_drop_rows(struct hub *hub, uint64_t session);
/* With what they are rated now. One who has a place keeps it; without a place nothing changes.
 * Takes `apart` over, allocated, which the row is to have: its ids are put in order. */
void waiting_keep(struct seeks *seeks, const struct ledger *ledger, const struct seek_row *row,
                  char *apart);
/* What it would be, of who has said so, with what they are rated now. */
struct ticket waiting_ticket(const struct ledger *ledger, const struct seek_row *row,
                             const struct choice_row *choice);
/* Of who has a place: what they have said beside. */
void waiting_wish(struct seeks *seeks, const struct wish_row *wish);
/* The same: what they have chosen beside, with what they are rated in each game. */
void waiting_choose(struct seeks *seeks, const struct ledger *ledger,
                    const struct choice_row *choice);
void waiting_forget(struct seeks *seeks, uint64_t session);
/* These have begun to play together. */
void waiting_met(struct seeks *seeks, const uint64_t sessions[], unsigned count, int64_t now_ms);

/* Whoever has that ticket, at a table of that class. */
struct meeting_seat waiting_seat(const struct seeks *seeks, size_t at, const char *class);

/* Is there a place for them? Who has one keeps it; those on the way to one have taken theirs. */
bool waiting_has_place(const struct seeks *seeks, uint64_t session);
/* How many wait, or are on the way to it, who come from the network of that width (hub/kernel.h)
 * that that one comes from (not 0), who does not. */
size_t waiting_of_source(const struct seeks *seeks, const struct wish_row *wish, unsigned width);
/* Is a seat kept for them, at a table that waits for all to accept it? */
bool waiting_is_offered(const struct seeks *seeks, size_t at);
/* May a change of their seek begin? Not while another one is under way, or too many are; nor while
 * they are being seated, or that ends. */
bool waiting_may_change(const struct seeks *seeks, uint64_t session);
/* `comes`: they are to wait afterwards, which takes a place if they have none. `source`: of their
 * wish; 0: it stays, or that says nothing. */
void waiting_begin_change(struct seeks *seeks, uint64_t session, bool comes, uint64_t source);
void waiting_end_change(struct seeks *seeks, uint64_t session);

#endif
