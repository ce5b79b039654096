/* At the home of who seeks: what they say, told to the desk by letters (seek.h). */
#ifndef RATINGS_OP_SEEK_H
#define RATINGS_OP_SEEK_H

#include "waiting/waiting.h"
#include <features/feature.h>

enum { SEEK_TEXT = 320 + SEEK_APART_BYTES }; /* of each such letter */
/* `seek_letter` is of a version before, and says less; `choice_letter` is of who has chosen more
 * than one game and anybody. */
/* `young_letter` is one that says as much as `search_letter`, of whoever names somebody with an
 * account that is too young to be rated so (config.challenge_age_ms); `device_letter` says whether
 * it is, and on which device that is, in front of what `search_letter` says, `device_choice_letter`
 * in front of what `choice_letter` does. */
extern const char young_letter[], device_letter[], device_choice_letter[];
extern const char search_letter[], choice_letter[], seek_letter[], unseek_letter[], apart_letter[];

void op_seek(struct call *call);
/* Of the rate that `seek` has (feature.wait_ms). */
int64_t op_seek_wait_ms(const struct hub *hub, const struct session *session,
                        const struct request *request);
void op_seek_queried(struct call *call, const struct store_query *query);
void op_unseek(struct call *call);
/* Of what features are told of blocks (feature.apart): the desk is to know. */
int seek_tell_apart(struct hub *hub, const struct session *session, uint64_t other, bool blocks);

#endif
