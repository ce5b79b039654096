#include "quiet_table.h"

#include "state.h"
#include <hub/kernel.h>
#include <stddef.h>

const struct store_table quiet_table = {
    .name = "quiet",
    .what = "an account that hears and says nothing",
    .number = 22,
    .size = sizeof(struct quiet_row),
    .owner = STORE_OF_SESSION,
    .keys = 1,
    .count = 2,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct quiet_row, session)},
                {"since_ms", STORE_NUMBER, STORE_MEMBER(struct quiet_row, since_ms)}},
};

/* ---- in memory: those of sessions at home here */

void quiets_init(struct hub *hub)
{
    table_init(&people_of(hub)->quiets, sizeof(struct quiet_row));
}

void quiets_release(struct hub *hub)
{
    table_release(&people_of(hub)->quiets);
}

static struct quiet_row *find_quiet(const struct hub *hub, uint64_t session)
{
    size_t at = 0;
    return table_find(&people_of(hub)->quiets, session, &at);
}

bool quiet_is(const struct hub *hub, uint64_t session)
{
    return find_quiet(hub, session) != NULL;
}

bool quiet_restore(struct hub *hub, const struct quiet_row *row)
{
    struct people *people = people_of(hub);
    /* Those that wait for the store keep their places: this is asked while running, too. */
    if (!table_reserve(&people->quiets, people->quiets_prepared + 1))
        return false;
    table_add(&people->quiets, row);
    kernel_set_quiet(kernel_session_find(hub, row->session), true);
    return true;
}

void quiet_gone(struct hub *hub, const struct session *session)
{
    struct quiet_row *row = find_quiet(hub, kernel_session_id(session));
    if (row)
        table_remove(&people_of(hub)->quiets, row);
}
