/*
 * A room's log in memory: entries of fixed size in one array, their text in another.
 *
 *      entries   | 1 | 2 | 3 | ... | count |   spare   |
 *      text      | text of 1 | text of 2 | ...    | spare |
 *
 * It grows by a quarter, as most rooms end at some hundred entries and a server keeps thousands of
 * rooms. Knows the shape of events and nothing of their meaning, except one mark: an entry that was
 * undone names the event that undid it, so that the game can be replayed without it.
 *
 * Each request of a change is looked for first, as it may be a repeat. A session's ids grow, as a
 * rule, so the highest of each of the first sessions is kept: a higher one is in no entry, and the
 * entries, which are by far the most of what a room keeps in memory, need not be read.
 */
#ifndef ROOM_LOG_H
#define ROOM_LOG_H

#include <room/event.h>
#include <stdbool.h>
#include <stddef.h>

struct log_entry {
    int64_t at_ms, held_ms;
    struct room_origin origin;
    uint32_t text_at;
    uint32_t undone_by; /* seq, or 0 */
    uint16_t text_len;
    uint8_t kind;
    uint8_t seat;
};

/* A session of which there are requests. After a truncation the id may be higher than any. */
struct log_asker {
    uint64_t session;
    int64_t highest_id;
};

enum { LOG_ASKERS = 6 };

struct log {
    struct log_entry *entries;
    char *text;
    uint32_t count, size;
    uint32_t text_len, text_size;
    uint32_t asker_count; /* LOG_ASKERS: there may be more sessions than these */
    struct log_asker askers[LOG_ASKERS];
};

void log_init(struct log *log);
void log_release(struct log *log);

/* Makes room for one more event with so much text; -1: no memory. Then log_append cannot fail. */
int log_reserve(struct log *log, size_t text_len);
void log_append(struct log *log, const struct room_event *event);

/* Gives spare memory back. */
void log_trim(struct log *log);

/* Forgets every entry after `seq`, and what they undid. */
void log_truncate(struct log *log, uint64_t seq);

/* Event seq (1..count); text borrowed until the log changes. */
void log_get(const struct log *log, uint64_t seq, struct room_event *event);

/* The event that this request made, or 0. */
uint64_t log_find(const struct log *log, uint64_t session, int64_t request_id);

/* As of `seq`, was the entry `entry` undone (by an event up to `seq`)? */
static inline bool log_undone(const struct log *log, uint64_t entry, uint64_t seq)
{
    uint32_t by = log->entries[entry - 1].undone_by;
    return by != 0 && by <= seq;
}

static inline size_t log_bytes(const struct log *log)
{
    return log->size * sizeof *log->entries + log->text_size;
}

#endif
