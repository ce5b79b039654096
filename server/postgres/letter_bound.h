/* How many letters one may be sent, as the statement BOUND_LETTERS_TO is asked. */
#ifndef POSTGRES_LETTER_BOUND_H
#define POSTGRES_LETTER_BOUND_H

#include "db.h"
#include <hub/store.h>
#include <stdbool.h>

/* False: it is no letter; of a new room there is no addressee yet. */
bool letter_bound_params(const struct store_op *op, struct params *params);

#endif
