#include "tally.h"

#include "tables/account_table.h"
#include "tables/archive_table.h"
#include "tables/state.h"
#include <errno.h>
#include <games/game.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/letter.h>
#include <inttypes.h>
#include <jansson.h>
#include <protocol/encoding.h>
#include <protocol/json_read.h>
#include <room/result.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct store_table tally_table = {
    .name = "tally",
    .what = "what an account has played of a kind",
    .number = 21,
    .size = sizeof(struct tally_row),
    .owner = STORE_OF_SESSION,
    .keys = 4,
    .count = 8,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct tally_row, session)},
                {"game", STORE_STRING, STORE_MEMBER(struct tally_row, game)},
                {"against", STORE_NUMBER, STORE_MEMBER(struct tally_row, against),
                 .max = TALLY_COMPUTERS},
                {"size", STORE_NUMBER, STORE_MEMBER(struct tally_row, size), .max = PROTOCOL_SEATS},
                {"matches", STORE_NUMBER, STORE_MEMBER(struct tally_row, matches)},
                {"won", STORE_NUMBER, STORE_MEMBER(struct tally_row, won)},
                {"finished", STORE_NUMBER, STORE_MEMBER(struct tally_row, finished)},
                {"last_ms", STORE_NUMBER, STORE_MEMBER(struct tally_row, last_ms)}},
    .indexes = {{"by_session", .columns = {0, 1, 2, 3}, .count = 4, .same = 1}},
};

/* ---- in memory */

struct entry {
    uint64_t key; /* the session */
    struct tally_row row;
};

void tallies_init(struct hub *hub)
{
    table_init(&people_of(hub)->tallies, sizeof(struct entry));
}

void tallies_release(struct hub *hub)
{
    table_release(&people_of(hub)->tallies);
}

static struct tally_row *find_tally(const struct hub *hub, const struct archive_row *match)
{
    struct entry *entry;
    size_t at = 0;
    while ((entry = table_find(&people_of(hub)->tallies, match->session, &at)) != NULL) {
        if (entry->row.against == match->against && entry->row.size == match->size &&
            strcmp(entry->row.game, match->game) == 0)
            return &entry->row;
    }
    return NULL;
}

bool tally_restore(struct hub *hub, const struct tally_row *row)
{
    if (!table_reserve(&people_of(hub)->tallies, 1))
        return false;
    table_add(&people_of(hub)->tallies, &(struct entry){row->session, *row});
    return true;
}

uint64_t tallies_count(const struct hub *hub, uint64_t session)
{
    const struct entry *entry;
    uint64_t count = 0;
    size_t at = 0;
    while ((entry = table_find(&people_of(hub)->tallies, session, &at)) != NULL)
        count += entry->row.matches;
    return count;
}

const struct tally_row *tally_next(const struct hub *hub, uint64_t session, size_t *at)
{
    const struct entry *entry = table_find(&people_of(hub)->tallies, session, at);
    return entry ? &entry->row : NULL;
}

void tally_write(const struct tally_row *row, struct writer *writer)
{
    writer_key_string(writer, "game", row->game);
    writer_key_string(writer, "against", row->against == TALLY_PEOPLE ? "people" : "computers");
    writer_key_int(writer, "size", row->size);
    writer_key_int(writer, "matches", row->matches);
    writer_key_int(writer, "won", row->won);
    writer_key_int(writer, "finished", row->finished);
    writer_key_int(writer, "last", row->last_ms);
}

void tallies_gone(struct hub *hub, const struct session *session)
{
    void *entry;
    size_t at = 0;
    while ((entry = table_find(&people_of(hub)->tallies, kernel_session_id(session), &at)) !=
           NULL) {
        table_remove(&people_of(hub)->tallies, entry);
        at = 0;
    }
}

/*
 * ---- telling: "ROOM TIME GAME AGAINST SIZE SEAT WON FINISHED PUBLIC", and of what is public
 * " WHY LEVEL OPTIONS", where LEVEL is "-" if no computer was there.
 */

const char tally_letter[] = "people.match";
enum { LETTER_BYTES = 192 + ARCHIVE_OPTIONS_MAX };
static const char no_level[] = "-";

/* That of somebody else, and it is no other person who was there. */
static enum tally_against against_whom(const struct room_result *result, unsigned seat)
{
    for (unsigned other = 0; other < result->seats; other++) {
        if (result->seat[other].session != 0 &&
            result->seat[other].session != result->seat[seat].session)
            return TALLY_PEOPLE;
    }
    return TALLY_COMPUTERS;
}

static const char *strongest_level(struct hub *hub, const struct room_result *result)
{
    const struct game_type *const *game = kernel_env(hub)->games;
    unsigned level = 0;
    for (unsigned seat = 0; seat < result->seats; seat++) {
        if (result->seat[seat].session == 0 && result->seat[seat].level > level)
            level = result->seat[seat].level;
    }
    while (*game && strcmp((*game)->name, result->game) != 0)
        game++;
    return *game && level > 0 && level <= game_levels(*game) ? game_level_word(*game, level)
                                                             : no_level;
}

/* Options that are too long are left out. */
static void append_public(struct hub *hub, const struct room *room,
                          const struct room_result *result, struct buffer *text)
{
    struct buffer options;
    struct writer writer;
    buffer_init(&options, 0, ARCHIVE_OPTIONS_MAX);
    writer_init(&writer, &options);
    room_write_options(room, &writer);
    buffer_append_byte(text, ' ');
    buffer_append_string(text, result->reason);
    buffer_append_byte(text, ' ');
    buffer_append_string(text, strongest_level(hub, result));
    buffer_append_byte(text, ' ');
    if (!options.failed)
        buffer_append(text, buffer_payload(&options), options.len);
    buffer_release(&options);
}

static void send_match(struct hub *hub, const struct room *room, const struct room_result *result,
                       unsigned seat)
{
    const struct room_result_seat *who = &result->seat[seat];
    const bool is_public = result->access == PROTOCOL_ACCESS_OPEN;
    char head[128];
    struct buffer text;
    (void)snprintf(head, sizeof head, "%s %" PRId64 " %s %d %u %u %d %d %d", result->room_id,
                   result->ended_ms, result->game, (int)against_whom(result, seat), result->seats,
                   seat, who->won, who->in_play && !who->stood_in_for, is_public);
    buffer_init(&text, 0, LETTER_BYTES);
    buffer_append_string(&text, head);
    if (is_public)
        append_public(hub, room, result, &text);
    const struct kernel_letter letter = {.addressee = who->session,
                                         .kind = tally_letter,
                                         .text = buffer_payload(&text),
                                         .text_len = text.len,
                                         .room_id = result->room_id};
    if (!text.failed) /* without memory it is not counted */
        (void)kernel_send_letter(hub, &letter);
    buffer_release(&text);
}

/* Somebody who has several seats has played it once, in the first of them. */
static bool is_first_seat(const struct room_result *result, unsigned seat)
{
    for (unsigned other = 0; other < seat; other++) {
        if (result->seat[other].session == result->seat[seat].session)
            return false;
    }
    return true;
}

void tally_match_over(struct hub *hub, const struct room *room, const struct room_result *result)
{
    if (!result->decided)
        return;
    for (unsigned seat = 0; seat < result->seats; seat++) {
        const struct room_result_seat *who = &result->seat[seat];
        if (who->session != 0 && who->account.kind != ACCOUNT_NONE && is_first_seat(result, seat))
            send_match(hub, room, result, seat);
    }
}

/* ---- being told */

/* The next word, and behind it a blank or the end. False: there is none, or it is longer. */
static bool take_word(const char **at, char *word, size_t size)
{
    const size_t len = strcspn(*at, " ");
    if (len == 0 || len >= size)
        return false;
    memcpy(word, *at, len);
    word[len] = '\0';
    *at += len;
    *at += **at == ' ';
    return true;
}

static bool take_number(const char **at, int64_t most, int64_t *number)
{
    char word[24], *end;
    if (!take_word(at, word, sizeof word) || word[0] < '0' || word[0] > '9')
        return false;
    errno = 0;
    *number = strtoll(word, &end, 10);
    return errno == 0 && !*end && *number <= most;
}

static bool take_small(const char **at, int64_t most, uint8_t *number)
{
    int64_t value;
    if (!take_number(at, most, &value))
        return false;
    *number = (uint8_t)value;
    return true;
}

static bool take_bit(const char **at, uint8_t bit, uint8_t *bits)
{
    uint8_t set;
    if (!take_small(at, 1, &set))
        return false;
    *bits |= set ? bit : 0;
    return true;
}

/* What a version before this one says nothing of stays empty. */
static bool read_public(const char *at, struct archive_row *match)
{
    if (!*at)
        return true;
    if (!take_word(&at, match->why, sizeof match->why) ||
        !take_word(&at, match->level, sizeof match->level))
        return false;
    if (strcmp(match->level, no_level) == 0)
        match->level[0] = '\0';
    match->options = at;
    match->rules = archive_rules(at);
    return true;
}

/* False: it is none, as of a later version. The match borrows of `text`. */
static bool read_match(const struct store_letter *letter, char text[static LETTER_BYTES],
                       struct archive_row *match, uint8_t *is_public)
{
    const char *at = text;
    if (letter->text_len >= LETTER_BYTES)
        return false;
    memcpy(text, letter->text, letter->text_len);
    text[letter->text_len] = '\0';
    *match = (struct archive_row){.session = letter->addressee, .options = ""};
    return take_word(&at, match->room, sizeof match->room) &&
           room_id_valid(match->room, strlen(match->room)) &&
           take_number(&at, INT64_MAX, &match->at_ms) &&
           take_word(&at, match->game, sizeof match->game) &&
           take_small(&at, TALLY_COMPUTERS, &match->against) && match->against >= TALLY_PEOPLE &&
           take_small(&at, PROTOCOL_SEATS, &match->size) &&
           take_small(&at, match->size - 1, &match->seat) &&
           take_bit(&at, ARCHIVE_WON, &match->result) &&
           take_bit(&at, ARCHIVE_FINISHED, &match->result) && take_small(&at, 1, is_public) &&
           (*is_public ? read_public(at, match) : !*at);
}

static void count_match(struct tally_row *row, const struct archive_row *match, uint32_t by)
{
    row->matches += by;
    row->won += match->result & ARCHIVE_WON ? by : 0;
    row->finished += match->result & ARCHIVE_FINISHED ? by : 0;
}

/* What goes back if it could not be stored: the letter comes again. */
struct counted {
    struct kernel_change change;
    struct archive_row match; /* of which nothing is borrowed */
};

static void carry_out(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)hub, (void)session, (void)change;
}

static void undo_counted(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct archive_row *match = &((const struct counted *)(void *)change)->match;
    struct tally_row *row = find_tally(hub, match);
    (void)session;
    if (row)
        count_match(row, match, UINT32_MAX); /* less by one */
}

static void destroy_change(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type counted_type = {
    .carry_out = carry_out, .undo = undo_counted, .destroy = destroy_change};

static struct tally_row *row_of(struct hub *hub, const struct archive_row *match)
{
    struct tally_row row = {
        .session = match->session, .against = match->against, .size = match->size};
    struct tally_row *found = find_tally(hub, match);
    memcpy(row.game, match->game, sizeof row.game);
    if (found)
        return found;
    return tally_restore(hub, &row) ? find_tally(hub, match) : NULL;
}

static void put_archive(struct hub *hub, const struct session *session, struct archive_row *match)
{
    const struct account_row *account = account_of(hub, session);
    if (account)
        memcpy(match->handle, account->handle, sizeof match->handle);
    kernel_put_row(hub, &archive_table, match);
}

/* An object, or nothing: it is shown as it stands. LETTER_APPLIED: it is right. */
static enum letter_fate check_options(const char *text)
{
    json_t *value = NULL;
    if (!*text)
        return LETTER_APPLIED;
    const enum json_read read = json_read(&value, text, strlen(text), PROTOCOL_DEPTH);
    if (read == JSON_READ_NO_MEMORY)
        return LETTER_LATER;
    const bool good = read == JSON_READ_OK && json_is_object(value);
    json_decref(value);
    return good ? LETTER_APPLIED : LETTER_REFUSED;
}

enum letter_fate tally_apply(struct hub *hub, const struct store_letter *letter)
{
    char text[LETTER_BYTES];
    struct archive_row match;
    uint8_t is_public;
    if (!read_match(letter, text, &match, &is_public))
        return LETTER_REFUSED;
    const enum letter_fate fate = check_options(match.options);
    if (fate != LETTER_APPLIED)
        return fate;
    const struct session *session = kernel_session_find(hub, match.session);
    if (!session) /* it is gone, with all that it has played */
        return LETTER_APPLIED;
    struct counted *counted = calloc(1, sizeof *counted);
    struct tally_row *row = counted ? row_of(hub, &match) : NULL;
    if (!row) {
        free(counted);
        return LETTER_LATER;
    }
    count_match(row, &match, 1);
    row->last_ms = match.at_ms > row->last_ms ? match.at_ms : row->last_ms;
    kernel_put_row(hub, &tally_table, row);
    if (is_public)
        put_archive(hub, session, &match);
    *counted = (struct counted){{&counted_type}, match};
    counted->match.options = NULL;
    kernel_change_hub(hub, &counted->change);
    return LETTER_APPLIED;
}
