/*
 * Appeals as they are kept where whoever was judged is at home: against which judgement, and what
 * has answered it. At the desk an appeal is a report that somebody has made of themselves, and
 * names the judgement.
 */
#ifndef MODERATION_APPEAL_TABLE_H
#define MODERATION_APPEAL_TABLE_H

#include <hub/store_row.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;
struct session;

enum { APPEALS_KEPT = 8 }; /* of one session, as of judgements */

struct appeal_row {
    uint64_t session;
    uint64_t id; /* of the judgement */
    int64_t at_ms;
    uint64_t answer; /* the judgement that was made of it; 0: nobody has looked at it */
};

extern const struct store_table appeal_table;

struct appeals {
    struct appeal_row *items; /* in the order in which they came */
    size_t count, size, prepared;
};

/* For so many more than are there or prepared; false: out of memory. */
bool appeals_reserve(struct appeals *appeals, size_t more);
void appeals_put(struct appeals *appeals, const struct appeal_row *row); /* there is place */
bool appeal_restore(struct hub *hub, const struct appeal_row *row);
void appeals_gone(struct hub *hub, const struct session *session);
void appeals_release(struct appeals *appeals);

/* Against that judgement; and that which it has answered. NULL: none. */
const struct appeal_row *appeal_against(const struct appeals *appeals, uint64_t session,
                                        uint64_t judgement);
const struct appeal_row *appeal_answered(const struct appeals *appeals, uint64_t session,
                                         uint64_t judgement);
/* The oldest, which goes for the next one; NULL: there is place. */
const struct appeal_row *appeal_surplus(const struct appeals *appeals, uint64_t session);
void appeals_drop(struct appeals *appeals, uint64_t session, uint64_t judgement);

#endif
