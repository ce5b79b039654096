/*
 * What those who look after the server have decided of whoever plays here, as others have reported
 * them: said in words, with the reason and until when.
 */
#ifndef CLI_JUDGED_H
#define CLI_JUDGED_H

#include "online.h"

/*
 * Says what `push` is about, if that is a judgement. A command that says its lines to a person
 * (`say` of struct online_app) tells the server that it was read; any other has it said again the
 * next time. Nothing in JSON mode, where the program has got it, and says `heed` itself.
 */
void judged_hear(struct online *online, const json_t *push);

/* The same with those in the answer to hello that were not read yet. */
void judged_greet(struct online *online, const json_t *hello);

#endif
