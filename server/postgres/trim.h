/* Finished rooms of a part that are not kept any longer: a step, on a connection that only reads
 * otherwise, so that no commit waits for it. */
#ifndef POSTGRES_TRIM_H
#define POSTGRES_TRIM_H

#include "db.h"
#include "part.h"

/* What was dropped before it failed stays dropped: each room is a transaction. */
enum db_result trim_rooms(struct db *db, struct part part, struct store_trim *trim);

#endif
