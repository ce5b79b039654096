#include "words.h"
#include <assert.h>
#include <event/entry.h>
#include <inttypes.h>
#include <protocol/encoding.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct line {
    char *text;
    size_t len;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int len =
        vsnprintf(line->text + line->len, EVENT_LINE_MAX + 1 - line->len, format, arguments);
    va_end(arguments);
    assert(len >= 0 && line->len + (size_t)len <= EVENT_LINE_MAX);
    line->len += (size_t)len;
}

/* Clean text (protocol/text.h), in which no control character is. */
static void add_text(struct line *line, const char *name, const char *text)
{
    add(line, ",\"%s\":\"", name);
    for (; *text; text++)
        add(line, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
    add(line, "\"");
}

static void add_bytes(struct line *line, const char *name, const uint8_t bytes[static 32])
{
    char digits[2 * 32 + 1];
    hex_encode(digits, bytes, 32);
    add(line, ",\"%s\":\"%s\"", name, digits);
}

static void add_rules(struct line *line, const struct event_rules *rules)
{
    add(line, ",\"event\":\"%s\"", rules->id);
    add_text(line, "title", rules->title);
    add(line, ",\"game\":\"%s\",\"options\":%s,\"clock\":%s", rules->game, rules->options,
        rules->clock);
    add(line,
        ",\"form\":\"%s\",\"points\":\"%s\",\"rounds\":%u,\"final\":%s,\"least\":%u,\"most\":%u"
        ",\"guests\":%s",
        event_form_words[rules->form], event_points_words[rules->points], (unsigned)rules->rounds,
        rules->final ? "true" : "false", (unsigned)rules->least, (unsigned)rules->most,
        rules->guests ? "true" : "false");
    if (rules->pairs)
        add(line, ",\"pairs\":true");
    add(line,
        ",\"start\":%" PRId64 ",\"check_in_s\":%" PRIu32 ",\"break_s\":%" PRIu32
        ",\"round_s\":%" PRIu32 ",\"wait_s\":%" PRIu32,
        rules->start_ms, rules->check_in_s, rules->break_s, rules->round_s, rules->wait_s);
    if (rules->pause_s != 0)
        add(line, ",\"pause_s\":%" PRIu32, rules->pause_s);
    add_bytes(line, "commitment", rules->commitment);
}

static void add_seating(struct line *line, const struct event_seating *paired)
{
    add(line, ",\"round\":%u,\"tables\":[", (unsigned)paired->round);
    for (unsigned table = 0; table < paired->tables; table++) {
        for (unsigned i = 0; i < paired->seats[table]; i++)
            add(line, "%s%u", i ? "," : table ? ",[" : "[", (unsigned)paired->seat[table][i]);
        add(line, "]");
    }
    add(line, "]");
}

static void add_outcome(struct line *line, const struct event_outcome *outcome)
{
    add(line, ",\"round\":%u,\"table\":%u,\"places\":[", (unsigned)outcome->round,
        (unsigned)outcome->table);
    for (unsigned i = 0; i < outcome->seats; i++)
        add(line, "%s%u", i ? "," : "", (unsigned)outcome->place[i]);
    add(line, "]");
    if (outcome->room[0])
        add(line, ",\"room\":\"%s\"", outcome->room);
}

static void add_joined(struct line *line, const struct event_entry *entry)
{
    add(line, ",\"entrant\":%u,\"account\":\"%016" PRIx64 "\"", (unsigned)entry->u.who.entrant,
        entry->u.who.account);
    if (entry->u.who.partner != 0)
        add(line, ",\"partner\":\"%016" PRIx64 "\"", entry->u.who.partner);
    if (entry->u.who.rating != 0)
        add(line, ",\"rating\":%u", (unsigned)entry->u.who.rating);
}

static void add_kind(struct line *line, const struct event_entry *entry)
{
    switch (entry->kind) {
    case EVENT_MADE:
        add_rules(line, &entry->u.made);
        break;
    case EVENT_JOINED:
        add_joined(line, entry);
        break;
    case EVENT_HERE:
    case EVENT_WITHDREW:
    case EVENT_RETURNED:
    case EVENT_REMOVED:
    case EVENT_AGREED:
    case EVENT_PAUSED:
    case EVENT_RESUMED:
        add(line, ",\"entrant\":%u", (unsigned)entry->u.who.entrant);
        break;
    case EVENT_BEGAN:
        break;
    case EVENT_PAIRED:
        add_seating(line, &entry->u.paired);
        break;
    case EVENT_RESULT:
    case EVENT_JUDGED:
        add_outcome(line, &entry->u.outcome);
        break;
    case EVENT_OVER:
    case EVENT_OFF:
        add_bytes(line, "secret", entry->u.secret);
        break;
    }
}

size_t event_write(const struct event_entry *entry, char text[static EVENT_LINE_MAX + 1])
{
    struct line line = {.text = text};
    add(&line, "{\"n\":%" PRIu64 ",\"at\":%" PRId64, entry->n, entry->at_ms);
    if (entry->by != 0)
        add(&line, ",\"by\":\"%016" PRIx64 "\"", entry->by);
    add(&line, ",\"kind\":\"%s\"", event_kind_words[entry->kind]);
    add_kind(&line, entry);
    if (entry->reason[0])
        add_text(&line, "reason", entry->reason);
    add(&line, "}");
    return line.len;
}
