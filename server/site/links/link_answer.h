/*
 * Answers to questions of another node, such as records, as frames for it. They may be long, so
 * they go in pieces.
 */
#ifndef SITE_LINK_ANSWER_H
#define SITE_LINK_ANSWER_H

#include "clients/client.h"
#include <hub/hub.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct link_answer;

struct link_answers {
    struct link_answer *first;
    size_t count, bytes;
};

/* Takes the answer over. Without its body if it were more than so many bytes together. False: out
 * of memory. */
bool link_answers_add(struct link_answers *answers, uint64_t question,
                      struct hub_http_answer *answer, size_t most_bytes);
/* The next frame of the first of them; there is one. NULL: out of memory. */
struct message *link_answers_frame(struct link_answers *answers);
void link_answers_release(struct link_answers *answers);

#endif
