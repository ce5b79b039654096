/* One session's matches become another one's: STORE_HAND_ROOM, STORE_HAND_MATCHES (hub/store.h). */
#ifndef STORE_HAND_H
#define STORE_HAND_H

#include "database.h"

/* In the transaction that is under way; where the log of a live room ends is what it is then. */
enum store_result room_row_hand(struct sqlite_store *store, const char *room_id,
                                struct log_end *log_end, const struct store_hand *hand);
enum store_result matches_hand(struct sqlite_store *store, const struct store_hand *hand);

#endif
