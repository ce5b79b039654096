/* The connection of a membership, for what is asked over it as well. */
#ifndef POSTGRES_MEMBERSHIP_DB_H
#define POSTGRES_MEMBERSHIP_DB_H

#include "db.h"

struct membership;

struct db *membership_db(struct membership *membership);

#endif
