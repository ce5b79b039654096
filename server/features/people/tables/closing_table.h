/*
 * Which accounts are about to end, as it is kept: when each is erased, and which handles are
 * nobody's any more; and which invitations were used. Known of the accounts at home here; what is
 * burnt is asked for.
 */
#ifndef PEOPLE_CLOSING_TABLE_H
#define PEOPLE_CLOSING_TABLE_H

#include "handle.h"
#include <hub/store_row.h>
#include <stdbool.h>
#include <stdint.h>

struct hub;
struct kernel_query;
struct session;

struct closing_row {
    uint64_t session;
    int64_t at_ms;
};
struct burnt_row {
    uint64_t site;                      /* 0 */
    char claim[HANDLE_CLAIM_BYTES + 1]; /* or as many digits of the hash of an invitation */
    int64_t since_ms;
};
extern const struct store_table closing_table, burnt_table;

/* In memory. */
struct closing_entry {
    uint64_t key; /* the session */
    int64_t at_ms;
    int64_t due_ms;     /* when it is tried to erase it, or tried again */
    int64_t counted_ms; /* until then `at_ms` allows for times that do not count; 0: for none */
    /* Before that other parts are asked (leaving.h): which have none of its matches left, when the
     * rest is asked again, and how long that was after the time before. */
    uint64_t left;
    int64_t ask_ms, wait_ms;
    uint32_t steps; /* of erasing its name in matches that are left; see closing.h */
    bool erasing;   /* they have begun: it is not taken back any more */
};

void closings_init(struct hub *hub);
void closings_release(struct hub *hub);
/* False: out of memory. */
bool closing_restore(struct hub *hub, const struct closing_row *row);
/* There is a place for it. */
void closing_add(struct hub *hub, const struct closing_row *row);
void closing_remove(struct hub *hub, uint64_t session);
/* NULL: it stays. */
struct closing_entry *closing_find(const struct hub *hub, uint64_t session);
/* It is tried then, whatever was planned. */
void closing_plan(struct hub *hub, struct closing_entry *entry, int64_t due_ms);
/* When the account of that session is erased; 0: it stays. */
int64_t closing_at_ms(const struct hub *hub, uint64_t session);
/* Then there is no way back. */
bool closing_is_erasing(const struct hub *hub, uint64_t session);

/* Is the handle with that claim burnt? `from` is zeros; a page with a row: it is. */
void closing_ask_burnt(const char *claim, struct kernel_query *query, struct burnt_row *from);

#endif
