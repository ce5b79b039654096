/* Which accounts are quiet, as it is kept: a row of each. Known of the accounts at home here. */
#ifndef PEOPLE_QUIET_TABLE_H
#define PEOPLE_QUIET_TABLE_H

#include <hub/store_row.h>
#include <stdbool.h>
#include <stdint.h>

struct hub;
struct session;

struct quiet_row {
    uint64_t session;
    int64_t since_ms;
};

extern const struct store_table quiet_table;

void quiets_init(struct hub *hub);
void quiets_release(struct hub *hub);
/* False: out of memory. */
bool quiet_restore(struct hub *hub, const struct quiet_row *row);
void quiet_gone(struct hub *hub, const struct session *session);
bool quiet_is(const struct hub *hub, uint64_t session);

#endif
