/*
 * Blocks as they are kept: a row of whoever has blocked somebody. In memory they are the list of a
 * session: of one that is at home here all of them, always; of a foreign one what has been learned
 * of the store (sitting.h), as long as it is here.
 */
#ifndef OTHERS_BLOCK_TABLE_H
#define OTHERS_BLOCK_TABLE_H

#include <base/table.h>
#include <features/feature.h>
#include <hub/store_row.h>
#include <protocol/account.h>
#include <protocol/limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;
struct session;

struct block_row {
    uint64_t session, other;
    uint64_t pair; /* of the two, whoever has blocked whom */
    int64_t since_ms;
    char handle[PROTOCOL_HANDLE_BYTES + 1]; /* that the other had then */
};

extern const struct store_table block_table;
enum { BLOCK_BY_PAIR, BLOCK_BY_SESSION }; /* its indexes */

struct block_row block_row_of(uint64_t session, uint64_t other);

/* ---- of a session, in memory */

struct block {
    uint64_t other;
    int64_t since_ms;
    char handle[PROTOCOL_HANDLE_BYTES + 1];
};

struct blocks {
    struct block *items;
    uint32_t count, size;
    uint32_t changes; /* that this part was told of, while it is here; of a foreign session */
    bool learned;     /* the same: all that the store has is here */
};

struct others {
    struct table lists;  /* the sessions that have one */
    struct table coming; /* who is about to be in one that is at home here */
};

extern const struct feature_memory others_memory;

struct others *others_of(const struct hub *hub);
void blocks_init(struct hub *hub);
void blocks_end(struct hub *hub);

struct blocks *blocks_of(const struct hub *hub, const struct session *session);
/* NULL: that one is not blocked. Until the list changes. */
const struct block *blocks_find(const struct blocks *blocks, uint64_t other);
/* For one more; false: out of memory. */
bool blocks_reserve(struct hub *hub, const struct session *session);
void blocks_put(struct blocks *blocks, const struct block_row *row);
void blocks_drop(struct blocks *blocks, uint64_t other);
/* Whom changes that wait for the store are about to have blocked. A place for one more; false: out
 * of memory. */
bool blocks_reserve_coming(struct hub *hub);
void blocks_add_coming(struct hub *hub, uint64_t other);
void blocks_remove_coming(struct hub *hub, uint64_t other);
bool blocks_is_coming(const struct hub *hub, uint64_t other);
void blocks_release(struct hub *hub, const struct session *session);

#endif
