/* Ops on the rows of a guest book, and pages of them. */
#ifndef STORE_GUEST_ROWS_H
#define STORE_GUEST_ROWS_H

#include "../../support/guest_table.h"
#include "../../support/rng.h"
#include <hub/store.h>
#include <stdio.h>

struct store_op op_word(uint64_t session, uint32_t id, const char *name);
struct store_op op_page(uint64_t number, const char *text);
struct store_op op_letter(uint64_t addressee, uint64_t id, int64_t at_ms, const char *text);

struct store_op op_document(const char *name, int64_t revision, const char *text);

/* For some of them, in one of their orders. */
struct store_query any_query(struct rng *rng);
/* Its rows, and the rest of the answer; releases it. */
void dump_query(FILE *out, struct store_query *query);

/* Puts or drops one of few rows that claim one of few names. */
struct store_op op_any_guest(struct rng *rng);

#endif
