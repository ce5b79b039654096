#include <cli/replay_compare.h>

#include <protocol/signature.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void replay_differs(struct replay *replay, const char *format, ...)
{
    if (replay->differences++ >= REPLAY_SHOWN_MAX)
        return;
    va_list arguments;
    fprintf(replay->out, "%s: ", replay->where);
    if (replay->turn > 0)
        fprintf(replay->out, "turn %u: ", replay->turn);
    va_start(arguments, format);
    vfprintf(replay->out, format, arguments);
    va_end(arguments);
    fputc('\n', replay->out);
}

/* ---- options */

const char *replay_option(const struct record *record, const char *name)
{
    const char *value = record_find(record->options, record->option_count, name);
    return value ? value : "";
}

int replay_number(const char *text)
{
    size_t len = strspn(text, "0123456789");
    if (len == 0 || len > 3 || text[len] != '\0' || (text[0] == '0' && len > 1))
        return -1;
    long number = strtol(text, NULL, 10);
    return number < 256 ? (int)number : -1;
}

bool replay_option_names(struct replay *replay, const struct record *record,
                         const char *const names[])
{
    size_t count = 0;
    while (names[count]) {
        const char *name = names[count++];
        if (record_find(record->options, record->option_count, name))
            continue;
        replay_differs(replay, "Option.%s is missing", name);
        return false;
    }
    if (count < record->option_count)
        replay_differs(replay, "there is an option that this program does not know");
    return count == record->option_count;
}

bool replay_option_flag(struct replay *replay, const struct record *record, const char *name,
                        bool *out)
{
    const char *value = replay_option(record, name);
    *out = strcmp(value, "yes") == 0;
    if (*out || strcmp(value, "no") == 0)
        return true;
    replay_differs(replay, "Option.%s is neither yes nor no", name);
    return false;
}

/* ---- seats */

static const char *seat_fault(const struct record_seat *seat)
{
    if (!seat->name)
        return "has no name";
    if (!seat->nonce)
        return "has no line for its nonce";
    return seat->bot && seat->nonce[0] ? "is a computer's, which gives no nonce" : NULL;
}

static bool same_colour(const struct record_seat *one, const struct record_seat *other)
{
    return one->colour && other->colour && strcmp(one->colour, other->colour) == 0;
}

void replay_check_seats(struct replay *replay, const struct record *record, unsigned players)
{
    if (!replay->proof)
        return;
    if (record->seat_count != players)
        replay_differs(replay, "%zu seats for %u players", record->seat_count, players);
    for (size_t i = 0; i < record->seat_count; i++) {
        const char *fault = seat_fault(&record->seats[i]);
        if (fault)
            replay_differs(replay, "seat %zu %s", i, fault);
        for (size_t j = 0; j < i; j++) {
            if (same_colour(&record->seats[i], &record->seats[j]))
                replay_differs(replay, "seats %zu and %zu have the same colour", j, i);
        }
    }
}

/* ---- asides */

bool replay_leaves(const struct record_line *line)
{
    return line->number == 0 &&
           (strcmp(line->text, "resigned") == 0 || strcmp(line->text, "timed_out") == 0);
}

static void check_aside(struct replay *replay, const struct record *record,
                        const struct record_line *line, const struct record_aside *aside)
{
    if (aside->has_seat && line->seat >= record->seat_count)
        replay_differs(replay, "%s: there is no such seat", line->text);
    if (!aside->has_seat && line->seat != RECORD_NO_SEAT)
        replay_differs(replay, "%s is about no seat", line->text);
    /* Without a clock it is who was away, of which a record says nothing. */
    if (strcmp(line->text, "timed_out") == 0 && record->clock.kind != PROTOCOL_CLOCK_NONE &&
        record->clock.on_timeout != PROTOCOL_TIMEOUT_ELIMINATE)
        replay_differs(replay, "timed_out, but no clock could do that");
}

void replay_check_asides(struct replay *replay, const struct record *record)
{
    bool called_off = false;
    for (size_t i = 0; i < record->line_count; i++) {
        const struct record_line *line = &record->lines[i];
        const struct record_aside *aside = record_find_aside(line);
        replay->turn = line->number ? line->number : replay->turn;
        if (called_off && (aside || line->number)) {
            replay_differs(replay, "the match had been called off");
            return;
        }
        if (aside)
            check_aside(replay, record, line, aside);
        called_off |= aside && strcmp(aside->word, "called_off") == 0;
    }
    replay->turn = 0;
    const char *why = replay_result(record, "why");
    bool said = why && strcmp(why, REPLAY_CALLED_OFF) == 0;
    if (said && !called_off)
        replay_differs(replay, "result why: called-off, but nobody called it off");
    if (called_off && !said)
        replay_differs(replay, "the match was called off, but the result does not say so");
}

/* ---- the result */

const char *replay_result(const struct record *record, const char *name)
{
    return record_find(record->result, record->result_count, name);
}

bool replay_room_ended(const struct record *record)
{
    const char *why = replay_result(record, "why");
    return why && (strcmp(why, REPLAY_CALLED_OFF) == 0 || strcmp(why, REPLAY_ABANDONED) == 0 ||
                   strcmp(why, REPLAY_CLOSED) == 0);
}

void replay_compare_word(struct replay *replay, const struct record *record, const char *name,
                         const char *found)
{
    const char *stated = replay_result(record, name);
    if (!stated || strcmp(stated, found) != 0)
        replay_differs(replay, "result %s: %s, but the record says %s", name, found,
                       stated ? stated : "nothing");
}

void replay_compare_none(struct replay *replay, const struct record *record, const char *name)
{
    if (replay_result(record, name))
        replay_differs(replay, "result %s: there is none in such a match", name);
}

bool replay_compare_end(struct replay *replay, const struct record *record, const char *end)
{
    const char *why = replay_result(record, "why");
    if (record->result_count == 0) {
        if (replay->proof)
            replay_differs(replay, "the secret is revealed, but there is no result");
        return false;
    }
    if (replay_room_ended(record)) {
        if (end)
            replay_differs(replay, "result why: %s, but the record says %s", end, why);
        replay_compare_none(replay, record, "winners");
        replay_compare_none(replay, record, "ranks");
        return false;
    }
    if (end)
        replay_compare_word(replay, record, "why", end);
    else
        replay_differs(replay, "result why: %s, but by the rules the game goes on",
                       why ? why : "nothing");
    return end != NULL;
}

/* Appends the members of a set. */
static void add_set(char *text, size_t size, unsigned set, char separator)
{
    size_t len = strlen(text);
    for (unsigned i = 0; set >> i; i++) {
        if ((set & 1U << i) == 0)
            continue;
        const char between[2] = {len > 0 && text[len - 1] != ' ' ? separator : '\0', '\0'};
        len += (size_t)snprintf(text + len, size - len, "%s%u", between, i);
    }
}

void replay_compare_sets(struct replay *replay, const struct record *record, unsigned winners,
                         const uint8_t ranks[], size_t rank_count)
{
    char text[64] = "";
    add_set(text, sizeof text, winners, ' ');
    replay_compare_word(replay, record, "winners", text);
    if (rank_count == 0) {
        replay_compare_none(replay, record, "ranks");
        return;
    }
    text[0] = '\0';
    for (size_t i = 0; i < rank_count; i++) {
        size_t len = strlen(text);
        snprintf(text + len, sizeof text - len, "%s", i > 0 ? " " : "");
        add_set(text, sizeof text, ranks[i], ',');
    }
    replay_compare_word(replay, record, "ranks", text);
}
