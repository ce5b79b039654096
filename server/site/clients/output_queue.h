/*
 * Whose turn it is to be written to, as a turn of the loop writes to some only.
 *
 * Who hurries (it waits for an answer, or something has happened at a table where it sits) comes
 * before who does not, which has one turn of OUTPUT_HURRY_RUN + 1 all the same. In each of the two
 * addresses take turns (hub/address_turns.h).
 */
#ifndef SITE_OUTPUT_QUEUE_H
#define SITE_OUTPUT_QUEUE_H

#include <hub/address_turns.h>
#include <stdbool.h>
#include <stdint.h>

enum { OUTPUT_HURRY_RUN = 3 };

/* Of somebody who may be in the queue; zeros at first but for the group. */
struct output_entry {
    struct address_turn turn; /* the first member: an entry is found by it */
    bool hurries;
};

struct output_queue {
    struct address_turns hurried, others;
    unsigned run; /* turns of who hurries, one after the other, for which others have waited */
};

/* One that is in the queue already keeps its place, unless it hurries only now. */
void output_queue_add(struct output_queue *queue, struct output_entry *entry, bool hurries);
void output_queue_remove(struct output_queue *queue,
                         struct output_entry *entry);              /* if it is there */
struct output_entry *output_queue_pop(struct output_queue *queue); /* NULL: nobody */

static inline bool output_queue_is_empty(const struct output_queue *queue)
{
    return queue->hurried.count + queue->others.count == 0;
}

#endif
