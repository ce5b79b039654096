/*
 * Whose turn it is to be written to, as a turn of the loop writes to some only.
 *
 * Who hurries (it waits for an answer, or something has happened at a table where it sits) comes
 * before who does not, which has one turn of OUTPUT_HURRY_RUN + 1 all the same. In each of the two
 * addresses take turns, and of one address whoever came first.
 *
 * Addresses count by a hash of their prefix (hub/address_prefix.h): two with the same share their
 * turns. Its key is random, as somebody with many prefixes could choose those that share with
 * another one.
 */
#ifndef SITE_OUTPUT_QUEUE_H
#define SITE_OUTPUT_QUEUE_H

#include <site/site.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OUTPUT_GROUPS = 256, OUTPUT_HURRY_RUN = 3 };

/* Of somebody who may be in the queue; zeros at first but for the group. */
struct output_entry {
    struct output_entry *next, **self; /* in its group; self is NULL: not in the queue */
    uint8_t group;
    bool hurries;
};

struct output_group {
    struct output_entry *first, **last;
    struct output_group *next;
    bool listed; /* among those that have a turn; one that is empty is passed over */
};

struct output_line {
    struct output_group groups[OUTPUT_GROUPS];
    struct output_group *first, **last; /* by turns */
    size_t count;
};

struct output_queue {
    struct output_line hurried, others;
    unsigned run; /* turns of who hurries, one after the other, for which others have waited */
    uint8_t key[SITE_GROUPS_KEY_BYTES]; /* of the hash */
};

void output_queue_init(struct output_queue *queue, const uint8_t key[static SITE_GROUPS_KEY_BYTES]);
uint8_t output_group_of(const struct output_queue *queue, const uint8_t ip[static 16]);
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
