#include "words.h"
#include <event/entry.h>
#include <jansson.h>
#include <protocol/encoding.h>
#include <protocol/json_read.h>
#include <protocol/text.h>
#include <string.h>

/* Members of one object. What is read too freely here is not written again as it was, which
 * event_read sees. */
struct members {
    json_t *object;
    bool wrong, no_memory;
};

static int64_t read_number(struct members *members, const char *name, int64_t most)
{
    const json_t *value = json_object_get(members->object, name);
    const int64_t number = json_is_integer(value) ? json_integer_value(value) : -1;
    members->wrong |= number < 0 || number > most;
    return members->wrong ? 0 : number;
}

static uint16_t read_short(struct members *members, const char *name)
{
    return (uint16_t)read_number(members, name, UINT16_MAX);
}

/* "" if it is not there. */
static const char *read_string(const struct members *members, const char *name)
{
    const char *text = json_string_value(json_object_get(members->object, name));
    return text ? text : "";
}

static void read_text(struct members *members, const char *name, char *text, size_t size,
                      size_t chars)
{
    const char *given = read_string(members, name);
    members->wrong |= !text_kept(text, size, given, strlen(given), chars);
}

static void read_room(struct members *members, const char *name,
                      char room[static PROTOCOL_ROOM_BYTES + 1])
{
    const char *given = read_string(members, name);
    if (room_id_valid(given, strlen(given)))
        memcpy(room, given, PROTOCOL_ROOM_BYTES + 1);
    else
        members->wrong = true;
}

static void read_bytes(struct members *members, const char *name, uint8_t *bytes, size_t len)
{
    const char *digits = read_string(members, name);
    members->wrong |= !hex_decode(bytes, len, digits, strlen(digits));
}

static uint64_t read_account(struct members *members, const char *name)
{
    uint8_t bytes[sizeof(uint64_t)];
    uint64_t account = 0;
    read_bytes(members, name, bytes, sizeof bytes);
    for (size_t i = 0; !members->wrong && i < sizeof bytes; i++)
        account = account << 8 | bytes[i];
    members->wrong |= account == 0;
    return account;
}

static unsigned read_word(struct members *members, const char *name, const char *const words[],
                          unsigned count)
{
    const unsigned at = event_find_word(words, count, read_string(members, name));
    members->wrong |= at == count;
    return at;
}

static void read_game(struct members *members, char game[static PROTOCOL_GAME_BYTES + 1])
{
    const char *given = read_string(members, "game");
    const size_t len = strlen(given);
    if (len > 0 && len <= PROTOCOL_GAME_BYTES &&
        strspn(given, "abcdefghijklmnopqrstuvwxyz0123456789-") == len)
        memcpy(game, given, len + 1);
    else
        members->wrong = true;
}

/* In its one form, whatever is in it. */
static void read_object(struct members *members, const char *name,
                        char text[static EVENT_OBJECT_MAX + 1])
{
    const json_t *object = json_object_get(members->object, name);
    const size_t len = json_is_object(object) ? json_dumpb(object, text, EVENT_OBJECT_MAX,
                                                           JSON_COMPACT | JSON_SORT_KEYS)
                                              : SIZE_MAX;
    members->no_memory |= len == 0;
    members->wrong |= len == 0 || len > EVENT_OBJECT_MAX;
    text[members->wrong ? 0 : len] = '\0';
}

/* ---- each kind */

static void read_rules(struct members *members, struct event_rules *rules)
{
    read_room(members, "event", rules->id);
    read_text(members, "title", rules->title, sizeof rules->title, PROTOCOL_TITLE_CHARS);
    read_game(members, rules->game);
    read_object(members, "options", rules->options);
    read_object(members, "clock", rules->clock);
    rules->form = (enum event_form)read_word(members, "form", event_form_words, EVENT_FORMS);
    rules->points =
        (enum event_points)read_word(members, "points", event_points_words, EVENT_POINTS);
    rules->rounds = read_short(members, "rounds");
    rules->final = json_is_true(json_object_get(members->object, "final"));
    rules->least = read_short(members, "least");
    rules->most = read_short(members, "most");
    rules->guests = json_is_true(json_object_get(members->object, "guests"));
    rules->pairs = json_is_true(json_object_get(members->object, "pairs"));
    rules->start_ms = read_number(members, "start", PROTOCOL_INTEGER_MAX);
    rules->check_in_s = (uint32_t)read_number(members, "check_in_s", EVENT_SECONDS_MAX);
    rules->break_s = (uint32_t)read_number(members, "break_s", EVENT_SECONDS_MAX);
    rules->round_s = (uint32_t)read_number(members, "round_s", EVENT_SECONDS_MAX);
    rules->wait_s = (uint32_t)read_number(members, "wait_s", EVENT_SECONDS_MAX);
    if (json_object_get(members->object, "pause_s"))
        rules->pause_s = (uint32_t)read_number(members, "pause_s", EVENT_SECONDS_MAX);
    read_bytes(members, "commitment", rules->commitment, sizeof rules->commitment);
}

/* Numbers of an array of 1 to `most`; how many. */
static size_t read_numbers(struct members *members, const json_t *array, size_t most,
                           uint16_t numbers[])
{
    const size_t count = json_array_size(array);
    members->wrong |= count == 0 || count > most;
    for (size_t i = 0; !members->wrong && i < count; i++) {
        const json_t *value = json_array_get(array, i);
        const int64_t number = json_is_integer(value) ? json_integer_value(value) : -1;
        members->wrong |= number < 0 || number > UINT16_MAX;
        numbers[i] = (uint16_t)number;
    }
    return members->wrong ? 0 : count;
}

static void read_seating(struct members *members, struct event_seating *paired)
{
    const json_t *tables = json_object_get(members->object, "tables");
    const size_t count = json_array_size(tables);
    paired->round = read_short(members, "round");
    members->wrong |= count == 0 || count > EVENT_TABLES_MAX;
    for (size_t table = 0; !members->wrong && table < count; table++)
        paired->seats[table] = (uint8_t)read_numbers(members, json_array_get(tables, table),
                                                     EVENT_SEATS_MAX, paired->seat[table]);
    paired->tables = members->wrong ? 0 : (uint16_t)count;
}

static void read_outcome(struct members *members, struct event_outcome *outcome)
{
    uint16_t places[EVENT_SEATS_MAX] = {0};
    outcome->round = read_short(members, "round");
    outcome->table = read_short(members, "table");
    outcome->seats = (uint8_t)read_numbers(members, json_object_get(members->object, "places"),
                                           EVENT_SEATS_MAX, places);
    for (unsigned i = 0; i < outcome->seats; i++) {
        members->wrong |= places[i] > EVENT_SEATS_MAX;
        outcome->place[i] = (uint8_t)places[i];
    }
    if (json_object_get(members->object, "room"))
        read_room(members, "room", outcome->room);
}

static void read_joined(struct members *members, struct event_entry *entry)
{
    entry->u.who.account = read_account(members, "account");
    entry->u.who.entrant = read_short(members, "entrant");
    if (json_object_get(members->object, "partner"))
        entry->u.who.partner = read_account(members, "partner");
    if (json_object_get(members->object, "rating"))
        entry->u.who.rating = (uint16_t)read_number(members, "rating", EVENT_RATING_MAX);
}

static void read_kind(struct members *members, struct event_entry *entry)
{
    switch (entry->kind) {
    case EVENT_MADE:
        read_rules(members, &entry->u.made);
        break;
    case EVENT_JOINED:
        read_joined(members, entry);
        break;
    case EVENT_HERE:
    case EVENT_WITHDREW:
    case EVENT_RETURNED:
    case EVENT_REMOVED:
    case EVENT_AGREED:
    case EVENT_PAUSED:
    case EVENT_RESUMED:
        entry->u.who.entrant = read_short(members, "entrant");
        break;
    case EVENT_BEGAN:
        break;
    case EVENT_PAIRED:
        read_seating(members, &entry->u.paired);
        break;
    case EVENT_RESULT:
    case EVENT_JUDGED:
        read_outcome(members, &entry->u.outcome);
        break;
    case EVENT_OVER:
    case EVENT_OFF:
        read_bytes(members, "secret", entry->u.secret, sizeof entry->u.secret);
        break;
    }
}

static bool read_members(struct members *members, struct event_entry *entry)
{
    entry->n = (uint64_t)read_number(members, "n", PROTOCOL_INTEGER_MAX);
    entry->at_ms = read_number(members, "at", PROTOCOL_INTEGER_MAX);
    if (json_object_get(members->object, "by"))
        entry->by = read_account(members, "by");
    const unsigned kind = read_word(members, "kind", event_kind_words, EVENT_KINDS);
    if (json_object_get(members->object, "reason"))
        read_text(members, "reason", entry->reason, sizeof entry->reason, EVENT_REASON_CHARS);
    if (members->wrong)
        return false;
    entry->kind = (enum event_kind)kind;
    read_kind(members, entry);
    return !members->wrong;
}

enum event_read event_read(struct event_entry *entry, const char *line, size_t len)
{
    enum { DEPTH = 3 };
    char again[EVENT_LINE_MAX + 1];
    struct members members = {0};
    *entry = (struct event_entry){0};
    if (len > EVENT_LINE_MAX)
        return EVENT_NOT_READ;
    const enum json_read read = json_read(&members.object, line, len, DEPTH);
    if (read != JSON_READ_OK)
        return read == JSON_READ_NO_MEMORY ? EVENT_READ_NO_MEMORY : EVENT_NOT_READ;
    const bool whole = read_members(&members, entry);
    json_decref(members.object);
    if (members.no_memory)
        return EVENT_READ_NO_MEMORY;
    return whole && event_write(entry, again) == len && memcmp(again, line, len) == 0
               ? EVENT_READ
               : EVENT_NOT_READ;
}
