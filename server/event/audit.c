#include <event/audit.h>

#include <event/due.h>
#include <string.h>

/* The line at `*at`, behind which it is then; false: there is none. */
static bool next_line(const char **at, const char *end, const char **line, size_t *len)
{
    if (*at == end)
        return false;
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    *line = *at;
    *len = (size_t)((stop ? stop : end) - *at);
    *at = stop ? stop + 1 : end;
    return true;
}

static enum event_fault read_line(struct event_entry *entry, const char *line, size_t len)
{
    switch (event_read(entry, line, len)) {
    case EVENT_READ:
        return EVENT_FINE;
    case EVENT_NOT_READ:
        break;
    case EVENT_READ_NO_MEMORY:
        return EVENT_NO_MEMORY;
    }
    return EVENT_UNREADABLE;
}

/* What the last entry reveals; an event that has not ended reveals nothing. */
static enum event_fault find_secret(const char *text, size_t len,
                                    uint8_t secret[static DEAL_SECRET_BYTES], bool *is_ended)
{
    struct event_entry entry;
    const char *last = text, *line, *at = text;
    size_t last_len = 0;
    while (next_line(&at, text + len, &line, &last_len))
        last = line;
    const enum event_fault fault = read_line(&entry, last, last_len);
    *is_ended = fault == EVENT_FINE && (entry.kind == EVENT_OVER || entry.kind == EVENT_OFF);
    if (*is_ended)
        memcpy(secret, entry.u.secret, DEAL_SECRET_BYTES);
    return fault == EVENT_NO_MEMORY ? fault : EVENT_FINE;
}

/* Entered by nobody but the server, and no word of a room. */
static bool has_to_be_due(const struct event_entry *entry)
{
    return entry->by == 0 && entry->kind != EVENT_MADE &&
           (entry->kind != EVENT_RESULT || !entry->u.outcome.room[0]);
}

static enum event_fault check_due(const struct event *event, const struct event_entry *entry,
                                  const uint8_t secret[static DEAL_SECRET_BYTES], const char *line,
                                  size_t len)
{
    struct event_entry due;
    char text[EVENT_LINE_MAX + 1];
    switch (event_due(event, entry->at_ms, secret, &due)) {
    case EVENT_IS_DUE:
        return event_write(&due, text) == len && memcmp(text, line, len) == 0 ? EVENT_FINE
                                                                              : EVENT_NOT_DUE;
    case EVENT_NOT_YET:
        break;
    case EVENT_DUE_NO_MEMORY:
        return EVENT_NO_MEMORY;
    }
    return EVENT_NOT_DUE;
}

static enum event_fault audit_line(struct event_audit *audit,
                                   const uint8_t secret[static DEAL_SECRET_BYTES], const char *line,
                                   size_t len)
{
    struct event_entry entry;
    enum event_fault fault = read_line(&entry, line, len);
    if (fault == EVENT_FINE)
        fault = event_check(&audit->event, &entry);
    if (fault == EVENT_FINE && has_to_be_due(&entry) &&
        (audit->is_ended || entry.kind != EVENT_PAIRED))
        fault = check_due(&audit->event, &entry, secret, line, len);
    if (fault != EVENT_FINE)
        return fault;
    audit->by_hand += entry.kind == EVENT_PAIRED && entry.by != 0;
    return event_follow(&audit->event, &entry);
}

void event_audit(struct event_audit *audit, const char *text, size_t len)
{
    uint8_t secret[DEAL_SECRET_BYTES] = {0};
    const char *at = text, *line;
    size_t line_len;
    *audit = (struct event_audit){0};
    audit->fault = find_secret(text, len, secret, &audit->is_ended);
    while (audit->fault == EVENT_FINE && next_line(&at, text + len, &line, &line_len)) {
        audit->line++;
        audit->fault = audit_line(audit, secret, line, line_len);
    }
    if (audit->fault == EVENT_FINE && audit->event.phase == EVENT_UNMADE)
        audit->fault = EVENT_UNREADABLE;
    audit->judged = audit->event.judged;
}
