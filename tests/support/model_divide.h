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

#endif
