/* Names that are erased: STORE_ERASE_NAMES (hub/store.h). */
#ifndef POSTGRES_ERASE_H
#define POSTGRES_ERASE_H

#include "db.h"

/* In the batch that is being sent, as one statement. False: it could not be sent. */
bool erase_send(struct db *db, uint64_t session);

#endif
