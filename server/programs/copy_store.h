/* `taluvad migrate`: copies an embedded store into an empty PostgreSQL database. */
#ifndef SERVER_COPY_STORE_H
#define SERVER_COPY_STORE_H

#include "choose_store.h"

/*
 * The file is a store that no server uses, or a backup of one; it is not changed. What was copied
 * is counted on both sides. Damage in it ends the copying. An exit status; what is wrong, or the
 * totals, has been said.
 */
int copy_store(const char *path, struct store_choice *choice);

#endif
