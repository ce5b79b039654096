#include "log.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES_STEP = 8, TEXT_STEP = 256 };

void log_init(struct log *log)
{
    memset(log, 0, sizeof *log);
}

void log_release(struct log *log)
{
    free(log->entries);
    free(log->text);
    log_init(log);
}

static int resize_entries(struct log *log, uint32_t size)
{
    struct log_entry *entries = realloc(log->entries, size * sizeof *entries);
    if (!entries)
        return -1;
    log->entries = entries;
    log->size = size;
    return 0;
}

static int resize_text(struct log *log, uint32_t size)
{
    char *text = realloc(log->text, size);
    if (!text)
        return -1;
    log->text = text;
    log->text_size = size;
    return 0;
}

int log_reserve(struct log *log, size_t text_len)
{
    assert(text_len <= ROOM_EVENT_TEXT_MAX);
    uint32_t text_need = log->text_len + (uint32_t)text_len;
    if (log->count == log->size && resize_entries(log, log->size + log->size / 4 + ENTRIES_STEP))
        return -1;
    if (text_need > log->text_size && resize_text(log, text_need + log->text_size / 4 + TEXT_STEP))
        return -1;
    return 0;
}

/* The latest move of this seat that still stands: the one that an undo takes back. */
static struct log_entry *last_standing_move(struct log *log, uint8_t seat)
{
    for (uint32_t i = log->count; i > 0; i--) {
        struct log_entry *entry = &log->entries[i - 1];
        if (entry->kind == ROOM_MOVE && entry->seat == seat && entry->undone_by == 0)
            return entry;
    }
    return NULL;
}

static void note_asker(struct log *log, const struct room_origin *origin)
{
    struct log_asker *at = log->askers, *end = at + log->asker_count;
    if (origin->session == 0 || origin->request_id == ROOM_NO_REQUEST)
        return;
    while (at < end && at->session != origin->session)
        at++;
    if (at == end && log->asker_count == LOG_ASKERS)
        return;
    if (at == end) {
        log->asker_count++;
        *at = (struct log_asker){origin->session, origin->request_id};
    } else if (at->highest_id < origin->request_id) {
        at->highest_id = origin->request_id;
    }
}

void log_append(struct log *log, const struct room_event *event)
{
    assert(log->count < log->size && event->seq == (uint64_t)log->count + 1);
    assert(log->text_len + event->text_len <= log->text_size);
    if (event->kind == ROOM_UNDONE) {
        struct log_entry *undone = last_standing_move(log, event->seat);
        assert(undone);
        undone->undone_by = (uint32_t)event->seq;
    }
    struct log_entry *entry = &log->entries[log->count++];
    memset(entry, 0, sizeof *entry); /* padding too: equal logs are equal bytes */
    entry->at_ms = event->at_ms;
    entry->held_ms = event->held_ms;
    entry->origin = event->origin;
    entry->text_at = log->text_len;
    entry->text_len = event->text_len;
    entry->kind = (uint8_t)event->kind;
    entry->seat = event->seat;
    if (event->text_len > 0)
        memcpy(log->text + log->text_len, event->text, event->text_len);
    log->text_len += event->text_len;
    note_asker(log, &event->origin);
}

void log_trim(struct log *log)
{
    if (log->count > 0 && log->count < log->size)
        (void)resize_entries(log, log->count);
    if (log->text_len > 0 && log->text_len < log->text_size)
        (void)resize_text(log, log->text_len);
}

void log_truncate(struct log *log, uint64_t seq)
{
    assert(seq <= log->count);
    for (uint32_t i = 0; i < log->count; i++) {
        if (i == seq)
            log->text_len = log->entries[i].text_at;
        else if (log->entries[i].undone_by > seq)
            log->entries[i].undone_by = 0;
    }
    log->count = (uint32_t)seq;
}

void log_get(const struct log *log, uint64_t seq, struct room_event *event)
{
    assert(seq >= 1 && seq <= log->count);
    const struct log_entry *entry = &log->entries[seq - 1];
    *event = (struct room_event){
        .seq = seq,
        .at_ms = entry->at_ms,
        .held_ms = entry->held_ms,
        .origin = entry->origin,
        .kind = (enum room_event_kind)entry->kind,
        .seat = entry->seat,
        .text_len = entry->text_len,
        .text = entry->text_len > 0 ? log->text + entry->text_at : "",
    };
}

static bool may_have(const struct log *log, uint64_t session, int64_t request_id)
{
    for (uint32_t i = 0; i < log->asker_count; i++) {
        if (log->askers[i].session == session)
            return request_id <= log->askers[i].highest_id;
    }
    return log->asker_count == LOG_ASKERS;
}

uint64_t log_find(const struct log *log, uint64_t session, int64_t request_id)
{
    if (!may_have(log, session, request_id))
        return 0;
    for (uint32_t i = log->count; i > 0; i--) {
        const struct room_origin *origin = &log->entries[i - 1].origin;
        if (origin->session == session && origin->request_id == request_id)
            return i;
    }
    return 0;
}
