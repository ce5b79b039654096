/* A site whose stores are models is given another number of parts. */
#ifndef SUPPORT_MODEL_DIVIDE_H
#define SUPPORT_MODEL_DIVIDE_H

#include "model_store.h"

/*
 * The stores of a site of `before` parts become those of `parts`, which are made (hub/part.h): what
 * the parts hand out at their next opening. The old ones are empty afterwards.
 */
void model_divide(struct model_store *from, unsigned before, struct model_store *to,
                  unsigned parts);

/* Another one with the same content, which is made. */
void model_copy(const struct model_store *from, struct model_store *copy);

#endif
