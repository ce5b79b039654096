/* What clients are told of their account. */
#ifndef PEOPLE_ACCOUNT_TOLD_H
#define PEOPLE_ACCOUNT_TOLD_H

#include "tables/account_table.h"
#include <protocol/json_writer.h>
#include <stdbool.h>
#include <stdint.h>

struct hub;
struct session;

/* The member "account" of an object that is begun. */
void account_write(const struct hub *hub, const struct account_row *row, struct writer *writer);
/* The same where it is erased at that time (0: it is not), and is quiet or not. */
void account_write_as(const struct account_row *row, int64_t closing_ms, bool is_quiet,
                      struct writer *writer);
/* It has changed, durably: on whatever devices its session is there, that is told, and by it all
 * parts in which they are know it. */
void account_tell(struct hub *hub, const struct session *session);

#endif
