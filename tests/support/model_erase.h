/* Names that are erased in the model (STORE_ERASE_NAMES). */
#ifndef SUPPORT_MODEL_ERASE_H
#define SUPPORT_MODEL_ERASE_H

#include "model_store.h"

/* Of all stores of its site, as the rooms are of whatever part. */
void model_erase_names(struct model_store *model, uint64_t session);

#endif
