/* The described rows of the model, for its own files. */
#ifndef SUPPORT_MODEL_ROWS_H
#define SUPPORT_MODEL_ROWS_H

#include "model_store.h"

/* Room for one more. */
void *model_grown(void *items, size_t count, size_t *size, size_t item_size);

void model_rows_release(struct model_store *model);
void model_drop_row(struct model_store *model, const struct store_row *row);
void model_drop_rows_of(struct model_store *model, uint64_t session);

/* Is ops[at] within its bound, when those before it that are not refused have been done? */
bool model_is_within(const struct model_store *model, const struct store_batch *batch, size_t at);

/* Does the op put a row that claims what another one has? */
bool model_has_claimed(const struct model_store *model, const struct store_op *op);

#endif
