/* One session's matches become another one's, in the model (STORE_HAND_ROOM, STORE_HAND_MATCHES).
 */
#ifndef SUPPORT_MODEL_HAND_H
#define SUPPORT_MODEL_HAND_H

#include "model_store.h"

void model_hand_room(struct model_room *room, const struct store_hand *hand);
/* Of all stores of its site, as the rooms are of whatever part. */
void model_hand_matches(struct model_store *model, const struct store_hand *hand);

#endif
