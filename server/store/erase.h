/* Names that are erased: STORE_ERASE_NAMES (hub/store.h). */
#ifndef STORE_ERASE_H
#define STORE_ERASE_H

#include "database.h"

/* In the transaction that is under way. */
enum store_result names_erase(struct sqlite_store *store, uint64_t session);

#endif
