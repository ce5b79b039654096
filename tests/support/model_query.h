/* Pages of rows that the model is asked for: it looks at all that it has. */
#ifndef SUPPORT_MODEL_QUERY_H
#define SUPPORT_MODEL_QUERY_H

#include "model_store.h"

/* Of all stores of its site; fills in the rows and the result. */
void model_answer_query(const struct model_store *model, struct store_query *query);

/* Of two rows of the table; below 0: `one` comes first. */
int model_compare_keys(const struct store_table *table, const void *one, const void *other);

#endif
