/*
 * Profiles: what everybody may know of who has a handle, in a page and by `profile`. It is made of
 * rows, so it does not matter where the account is at home.
 *
 *     whose handle that is -> what they are called now -> what they show -> what they have played
 *
 * Each step is a page of rows, and knows the account from the one before.
 */
#ifndef PEOPLE_PROFILE_H
#define PEOPLE_PROFILE_H

#include <hub/store_row.h>
#include <stdbool.h>
#include <stdint.h>

struct buffer;
struct call;
struct hub;
struct kernel_query;
struct store_query;

/* What somebody has chosen to show: a row of who has chosen. */
struct profile_row {
    uint64_t session;
    uint8_t hidden; /* nothing of what they have played */
};

extern const struct store_table profile_table;
enum { PROFILE_BY_SESSION, PROFILE_IN_ORDER }; /* its indexes */

/* What one session shows, and whether that is nothing; and of many, in the order of their numbers
 * (with a sign), from that one on. */
void profile_ask_of(uint64_t session, struct kernel_query *query, void *from);
bool profile_is_hidden(const struct store_query *done);
void profile_ask_from(uint64_t session, struct kernel_query *query, void *from);

/* As of a page (features/feature.h). */
bool profile_ask(struct hub *hub, const char *handle, struct kernel_query *query, void *from);
bool profile_ask_next(struct hub *hub, unsigned step, const struct store_query *done,
                      struct kernel_query *query, void *from, struct buffer *out);

void op_profile(struct call *call);
void op_profile_queried(struct call *call, const struct store_query *query);
/* What one's own shows from now on. */
void op_profile_show(struct call *call);

#endif
