#include "tally.h"

#include "state.h"
#include <assert.h>
#include <hub/kernel.h>
#include <hub/letter.h>
#include <inttypes.h>
#include <protocol/encoding.h>
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

const struct store_table played_table = {
    .name = "played",
    .what = "a match of an account that anybody may open",
    .number = 22,
    .size = sizeof(struct played_row),
    .owner = STORE_OF_SESSION,
    .unloaded = true,
    .keys = 2,
    .count = 9,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct played_row, session)},
                {"room", STORE_STRING, STORE_MEMBER(struct played_row, room)},
                {"at_ms", STORE_NUMBER, STORE_MEMBER(struct played_row, at_ms)},
                {"game", STORE_STRING, STORE_MEMBER(struct played_row, game)},
                {"against", STORE_NUMBER, STORE_MEMBER(struct played_row, against),
                 .max = TALLY_COMPUTERS},
                {"size", STORE_NUMBER, STORE_MEMBER(struct played_row, size),
                 .max = PROTOCOL_SEATS},
                {"seat", STORE_NUMBER, STORE_MEMBER(struct played_row, seat),
                 .max = PROTOCOL_SEATS},
                {"won", STORE_NUMBER, STORE_MEMBER(struct played_row, won), .max = 1},
                {"finished", STORE_NUMBER, STORE_MEMBER(struct played_row, finished), .max = 1}},
    .indexes = {{"by_time", .columns = {0, 2}, .count = 2, .same = 1, .descending = true}},
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

static struct tally_row *find_tally(const struct hub *hub, const struct played_row *match)
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

/* ---- telling: "ROOM TIME GAME AGAINST SIZE SEAT WON FINISHED PUBLIC" */

const char tally_letter[] = "people.match";
enum { LETTER_BYTES = 128 };

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

static void send_match(struct hub *hub, const struct room_result *result, unsigned seat)
{
    const struct room_result_seat *who = &result->seat[seat];
    char text[LETTER_BYTES];
    const int len = snprintf(
        text, sizeof text, "%s %" PRId64 " %s %d %u %u %d %d %d", result->room_id, result->ended_ms,
        result->game, (int)against_whom(result, seat), result->seats, seat, who->won,
        who->in_play && !who->stood_in_for, result->access == PROTOCOL_ACCESS_OPEN);
    const struct kernel_letter letter = {.addressee = who->session,
                                         .kind = tally_letter,
                                         .text = text,
                                         .text_len = (size_t)len,
                                         .room_id = result->room_id};
    (void)kernel_send_letter(hub, &letter); /* without memory it is not counted */
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
    (void)room;
    if (!result->decided)
        return;
    for (unsigned seat = 0; seat < result->seats; seat++) {
        const struct room_result_seat *who = &result->seat[seat];
        if (who->session != 0 && who->account.kind != ACCOUNT_NONE && is_first_seat(result, seat))
            send_match(hub, result, seat);
    }
}

/* ---- being told */

/* False: it is none, as of a later version. */
static bool read_match(const struct store_letter *letter, struct played_row *match, bool *is_public)
{
    char text[LETTER_BYTES], more;
    unsigned what, size, seat, won, finished, open;
    if (letter->text_len >= sizeof text)
        return false;
    memcpy(text, letter->text, letter->text_len);
    text[letter->text_len] = '\0';
    *match = (struct played_row){.session = letter->addressee};
    static_assert(PROTOCOL_ROOM_BYTES == 8 && PROTOCOL_GAME_BYTES == 16, "as they are read here");
    if (sscanf(text, "%8s %" SCNd64 " %16s %u %u %u %u %u %u%c", match->room, &match->at_ms,
               match->game, &what, &size, &seat, &won, &finished, &open, &more) != 9 ||
        !room_id_valid(match->room, strlen(match->room)) || what < TALLY_PEOPLE ||
        what > TALLY_COMPUTERS || size > PROTOCOL_SEATS || seat >= size || won > 1 || finished > 1)
        return false;
    match->against = (uint8_t)what;
    match->size = (uint8_t)size;
    match->seat = (uint8_t)seat;
    match->won = (uint8_t)won;
    match->finished = (uint8_t)finished;
    *is_public = open != 0;
    return true;
}

static void count_match(struct tally_row *row, const struct played_row *match, uint32_t by)
{
    row->matches += by;
    row->won += match->won * by;
    row->finished += match->finished * by;
}

/* What goes back if it could not be stored: the letter comes again. */
struct counted {
    struct kernel_change change;
    struct played_row match;
};

static void carry_out(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)hub, (void)session, (void)change;
}

static void undo_counted(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct played_row *match = &((const struct counted *)(void *)change)->match;
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

static struct tally_row *row_of(struct hub *hub, const struct played_row *match)
{
    struct tally_row row = {
        .session = match->session, .against = match->against, .size = match->size};
    struct tally_row *found = find_tally(hub, match);
    memcpy(row.game, match->game, sizeof row.game);
    if (found)
        return found;
    return tally_restore(hub, &row) ? find_tally(hub, match) : NULL;
}

enum letter_fate tally_apply(struct hub *hub, const struct store_letter *letter)
{
    struct played_row match;
    bool is_public;
    if (!read_match(letter, &match, &is_public))
        return LETTER_REFUSED;
    if (!kernel_session_find(hub, match.session)) /* it is gone, with all that it has played */
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
        kernel_put_row(hub, &played_table, &match);
    *counted = (struct counted){{&counted_type}, match};
    kernel_change_hub(hub, &counted->change);
    return LETTER_APPLIED;
}
