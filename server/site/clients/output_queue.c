#include "output_queue.h"

#include <assert.h>
#include <stddef.h>

static_assert(offsetof(struct output_entry, turn) == 0, "an entry is found by its turn");

static struct address_turns *line_of(struct output_queue *queue, bool hurries)
{
    return hurries ? &queue->hurried : &queue->others;
}

void output_queue_remove(struct output_queue *queue, struct output_entry *entry)
{
    if (entry->turn.self)
        address_turns_remove(line_of(queue, entry->hurries), &entry->turn);
}

void output_queue_add(struct output_queue *queue, struct output_entry *entry, bool hurries)
{
    if (entry->turn.self && (entry->hurries || !hurries))
        return;
    output_queue_remove(queue, entry);
    entry->hurries = hurries;
    address_turns_add(line_of(queue, hurries), &entry->turn);
}

struct output_entry *output_queue_pop(struct output_queue *queue)
{
    if (output_queue_is_empty(queue))
        return NULL;
    const bool others_turn = queue->others.count > 0 && queue->run >= OUTPUT_HURRY_RUN;
    const bool hurries = queue->hurried.count > 0 && !others_turn;
    queue->run = hurries && queue->others.count > 0 ? queue->run + 1 : 0;
    return (struct output_entry *)address_turns_pop(line_of(queue, hurries));
}
