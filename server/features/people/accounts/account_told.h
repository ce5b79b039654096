/* What clients are told of their account. */
#ifndef PEOPLE_ACCOUNT_TOLD_H
#define PEOPLE_ACCOUNT_TOLD_H

#include "tables/account_table.h"
#include <protocol/json_writer.h>

struct hub;
struct session;

/* The member "account" of an object that is begun. */
void account_write(const struct hub *hub, const struct account_row *row, struct writer *writer);
/* The same where it is erased at that time; 0: it is not. */
void account_write_closing(const struct account_row *row, int64_t at_ms, struct writer *writer);
/* It has changed, durably: on whatever devices its session is there, that is told, and by it all
 * parts in which they are know it. */
void account_tell(struct hub *hub, const struct session *session);

#endif
