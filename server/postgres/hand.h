/* One session's matches become another one's: STORE_HAND_MATCHES (hub/store.h). */
#ifndef POSTGRES_HAND_H
#define POSTGRES_HAND_H

#include "db.h"

/* False: the connection is lost. */
bool hand_send(struct db *db, const struct store_hand *hand);

#endif
