#include "output_queue.h"

#include <assert.h>
#include <hub/address_prefix.h>
#include <sodium.h>
#include <string.h>

static void init_line(struct output_line *line)
{
    *line = (struct output_line){.count = 0};
    line->last = &line->first;
    for (size_t at = 0; at < OUTPUT_GROUPS; at++)
        line->groups[at].last = &line->groups[at].first;
}

void output_queue_init(struct output_queue *queue, const uint8_t key[static SITE_GROUPS_KEY_BYTES])
{
    init_line(&queue->hurried);
    init_line(&queue->others);
    queue->run = 0;
    memcpy(queue->key, key, sizeof queue->key);
}

uint8_t output_group_of(const struct output_queue *queue, const uint8_t ip[static 16])
{
    const struct address_prefix prefix = address_prefix_of(ip);
    uint8_t hash[crypto_shorthash_BYTES];
    static_assert(crypto_shorthash_KEYBYTES == sizeof queue->key, "its key");
    static_assert(OUTPUT_GROUPS == UINT8_MAX + 1, "a byte of the hash is a group");
    crypto_shorthash(hash, prefix.bytes, sizeof prefix.bytes, queue->key);
    return hash[0];
}

/* ---- one of the two lines */

static void list_group(struct output_line *line, struct output_group *group)
{
    group->listed = true;
    group->next = NULL;
    *line->last = group;
    line->last = &group->next;
}

static struct output_group *next_group(struct output_line *line)
{
    struct output_group *group = line->first;
    line->first = group->next;
    if (!line->first)
        line->last = &line->first;
    group->listed = false;
    return group;
}

static void line_add(struct output_line *line, struct output_entry *entry)
{
    struct output_group *group = &line->groups[entry->group];
    entry->next = NULL;
    entry->self = group->last;
    *group->last = entry;
    group->last = &entry->next;
    line->count++;
    if (!group->listed)
        list_group(line, group);
}

static void line_remove(struct output_line *line, struct output_entry *entry)
{
    struct output_group *group = &line->groups[entry->group];
    *entry->self = entry->next;
    if (entry->next)
        entry->next->self = entry->self;
    else
        group->last = entry->self;
    entry->self = NULL;
    line->count--;
}

/* It has one at least. */
static struct output_entry *line_pop(struct output_line *line)
{
    struct output_group *group = next_group(line);
    while (!group->first)
        group = next_group(line);
    struct output_entry *entry = group->first;
    line_remove(line, entry);
    if (group->first)
        list_group(line, group);
    return entry;
}

/* ---- both */

static struct output_line *line_of(struct output_queue *queue, bool hurries)
{
    return hurries ? &queue->hurried : &queue->others;
}

void output_queue_remove(struct output_queue *queue, struct output_entry *entry)
{
    if (entry->self)
        line_remove(line_of(queue, entry->hurries), entry);
}

void output_queue_add(struct output_queue *queue, struct output_entry *entry, bool hurries)
{
    if (entry->self && (entry->hurries || !hurries))
        return;
    output_queue_remove(queue, entry);
    entry->hurries = hurries;
    line_add(line_of(queue, hurries), entry);
}

struct output_entry *output_queue_pop(struct output_queue *queue)
{
    if (output_queue_is_empty(queue))
        return NULL;
    const bool others_turn = queue->others.count > 0 && queue->run >= OUTPUT_HURRY_RUN;
    const bool hurries = queue->hurried.count > 0 && !others_turn;
    queue->run = hurries && queue->others.count > 0 ? queue->run + 1 : 0;
    return line_pop(line_of(queue, hurries));
}
