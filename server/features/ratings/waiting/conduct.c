#include "conduct.h"

#include "gave_up.h"
#include "rows/state.h"
#include <features/feature.h>
#include <hub/config.h>
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <protocol/buffer.h>
#include <protocol/encoding.h>
#include <protocol/json_writer.h>
#include <room/result.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char conduct_letter[] = "ratings.conduct";

const struct store_table conduct_table = {
    .name = "conduct",
    .what = "how reliable somebody is who seeks",
    .number = 37,
    .size = sizeof(struct conduct_row),
    .owner = STORE_OF_SESSION,
    .keys = 1,
    .count = 4,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct conduct_row, session)},
                {"paused_ms", STORE_NUMBER, STORE_MEMBER(struct conduct_row, paused_ms)},
                {"pause_ms", STORE_NUMBER, STORE_MEMBER(struct conduct_row, pause_ms)},
                {"outcomes", STORE_STRING, STORE_MEMBER(struct conduct_row, outcomes)}},
};

/* ---- the rule */

/* In tenths. */
static unsigned weigh_outcome(char outcome)
{
    switch (outcome) {
    case CONDUCT_LAPSED:
    case CONDUCT_ABORTED:
    case CONDUCT_ASKED_OFF:
        return 7;
    case CONDUCT_LEFT:
    case CONDUCT_TIMED_OUT:
        return 10;
    default:
        return 0;
    }
}

/* Not the first ones of those who ask that a match is called off: who asks again and again has
 * matches that they might lose not rated. */
static unsigned weigh_next(char outcome, unsigned *asked)
{
    return outcome == CONDUCT_ASKED_OFF && ++*asked <= CONDUCT_ASKS_FREE ? 0
                                                                         : weigh_outcome(outcome);
}

/* How grave they are, and beside it which share of all tables others had nothing of: somebody who
 * misses every second one is not to go on with it as each of them weighs less. */
static bool is_too_much(const char *outcomes)
{
    const size_t count = strlen(outcomes);
    unsigned score = 0, asked = 0;
    size_t bad = 0, row = 0;
    for (size_t at = 0; at < count; at++) {
        const unsigned weight = weigh_next(outcomes[at], &asked);
        score += weight;
        bad += weight > 0;
        row = weight > 0 ? row + 1 : 0;
    }
    return row >= CONDUCT_ROW_OF_BAD ||
           (row > 0 && score >= CONDUCT_SCORE && CONDUCT_SHARE_OF * bad >= CONDUCT_SHARE * count);
}

/* Three times the one before within a day of it; less and less from then on. */
static int64_t next_pause_ms(const struct conduct_row *row, int64_t now_ms)
{
    const int64_t forgets_ms = (int64_t)CONDUCT_FORGETS_DAYS * CONDUCT_DAY_MS;
    int64_t age_ms = now_ms - row->paused_ms;
    if (row->paused_ms == 0 || age_ms >= forgets_ms)
        return CONDUCT_PAUSE_MS;
    age_ms = age_ms < CONDUCT_DAY_MS ? CONDUCT_DAY_MS : age_ms;
    const int64_t most_ms = row->pause_ms * CONDUCT_PAUSE_FACTOR;
    const int64_t pause_ms = most_ms / (forgets_ms - CONDUCT_DAY_MS) * (forgets_ms - age_ms) +
                             most_ms % (forgets_ms - CONDUCT_DAY_MS) * (forgets_ms - age_ms) /
                                 (forgets_ms - CONDUCT_DAY_MS);
    return pause_ms < CONDUCT_PAUSE_MS       ? CONDUCT_PAUSE_MS
           : pause_ms > CONDUCT_PAUSE_MAX_MS ? CONDUCT_PAUSE_MAX_MS
                                             : pause_ms;
}

bool conduct_add(struct conduct_row *row, enum conduct_outcome outcome, int64_t now_ms)
{
    size_t count = strlen(row->outcomes);
    if (count == CONDUCT_OUTCOMES)
        memmove(row->outcomes, row->outcomes + 1, count--);
    row->outcomes[count] = (char)outcome;
    row->outcomes[count + 1] = '\0';
    if (!is_too_much(row->outcomes))
        return false;
    row->pause_ms = next_pause_ms(row, now_ms);
    row->paused_ms = now_ms;
    return true;
}

int64_t conduct_paused_until_ms(const struct conduct_row *row, int64_t now_ms)
{
    const int64_t until_ms = row->paused_ms + row->pause_ms;
    return until_ms > now_ms ? until_ms : 0;
}

bool conduct_idles(const struct room_result *result, unsigned seat)
{
    const struct protocol_clock *clock = &result->clock;
    const int64_t given_s =
        clock->bank_s + (int64_t)CONDUCT_IDLE_TURNS * clock->increment_s; /* as quick match has */
    const int64_t part_ms = given_s * 1000 / CONDUCT_IDLE_PART;
    return result->seat[seat].idle_ms >= (part_ms > CONDUCT_IDLE_MS ? part_ms : CONDUCT_IDLE_MS);
}

/* ---- at home */

static struct conduct *conduct_of(const struct hub *hub, const struct session *session)
{
    return kernel_session_state(hub, &ratings_memory, session);
}

int64_t conduct_until_ms(const struct hub *hub, const struct session *session)
{
    const struct conduct *conduct = conduct_of(hub, session);
    return conduct->row ? conduct_paused_until_ms(conduct->row, kernel_now_ms(hub)) : 0;
}

void conduct_knows(struct hub *hub, const struct session *session, const char *room)
{
    struct conduct *conduct = conduct_of(hub, session);
    if (!kernel_session_is_connected(session))
        return;
    memcpy(conduct->found, room, PROTOCOL_ROOM_BYTES + 1);
    conduct->forgiven[0] = '\0';
}

bool conduct_restore(struct hub *hub, const struct conduct_row *row)
{
    const struct session *session = kernel_session_find(hub, row->session);
    if (!session)
        return true;
    struct conduct *conduct = conduct_of(hub, session);
    if (!conduct->row)
        conduct->row = malloc(sizeof *conduct->row);
    if (conduct->row)
        *conduct->row = *row;
    return conduct->row;
}

void conduct_forget(struct hub *hub, const struct session *session)
{
    free(conduct_of(hub, session)->row);
    conduct_of(hub, session)->row = NULL;
}

/* ---- letters: the room, and what became of it */

void conduct_send(struct hub *hub, uint64_t session, const char *room, enum conduct_outcome outcome)
{
    char text[CONDUCT_TEXT + 1];
    const int len = snprintf(text, sizeof text, "%s %c", room, (char)outcome);
    const struct kernel_letter letter = {.addressee = session,
                                         .kind = conduct_letter,
                                         .text = text,
                                         .text_len = (size_t)len,
                                         .room_id = room};
    (void)kernel_send_letter(hub, &letter);
}

static enum conduct_outcome outcome_of_seat(const struct room_result *result, unsigned seat)
{
    const struct room_result_seat *own = &result->seat[seat];
    if (own->stood_in_for)
        return CONDUCT_LEFT;
    if (own->timed_out && conduct_idles(result, seat))
        return CONDUCT_TIMED_OUT;
    if (result->early_out && !own->in_play)
        return CONDUCT_ABORTED;
    return !result->early_out && gave_up_early(result, seat) ? CONDUCT_GAVE_UP : CONDUCT_GOOD;
}

/* Of a match that nobody has decided it is only said who asked for that. */
void conduct_send_all(struct hub *hub, const struct room_result *result)
{
    if (!result->rated[0])
        return;
    for (unsigned seat = 0; seat < result->seats; seat++) {
        const struct room_result_seat *own = &result->seat[seat];
        if (own->session != 0 && (result->decided || own->asked_off))
            conduct_send(hub, own->session, result->room_id,
                         own->asked_off ? CONDUCT_ASKED_OFF : outcome_of_seat(result, seat));
    }
}

static bool read_letter(const struct store_letter *letter)
{
    return letter->text_len == CONDUCT_TEXT && room_id_valid(letter->text, PROTOCOL_ROOM_BYTES) &&
           letter->text[PROTOCOL_ROOM_BYTES] == ' ' &&
           strchr("gnaltrc", letter->text[PROTOCOL_ROOM_BYTES + 1]) &&
           letter->text[CONDUCT_TEXT - 1];
}

/*
 * A network may be why they were not told: but whoever always goes as soon as they seek is not to
 * be forgiven always. The letter of the one that is may come again.
 */
static bool forgive_untold(struct conduct *conduct, const char *room)
{
    if (memcmp(conduct->found, room, PROTOCOL_ROOM_BYTES) == 0)
        return false;
    if (!conduct->forgiven[0])
        memcpy(conduct->forgiven, room, PROTOCOL_ROOM_BYTES);
    return memcmp(conduct->forgiven, room, PROTOCOL_ROOM_BYTES) == 0;
}

/* A server that is only just there may be why, too. */
static bool is_forgiven(const struct hub *hub, const struct session *session,
                        const struct store_letter *letter)
{
    const char outcome = letter->text[PROTOCOL_ROOM_BYTES + 1];
    if (outcome == CONDUCT_GOOD || outcome == CONDUCT_GAVE_UP)
        return false;
    return kernel_now_ms(hub) - desk_of(hub)->began_ms < kernel_config(hub)->forgiving_ms ||
           (outcome == CONDUCT_LAPSED && forgive_untold(conduct_of(hub, session), letter->text));
}

struct conducting {
    struct kernel_change change;
    struct conduct_row *row;
    bool pauses;
};

static void become_durable(struct hub *hub, struct session *session, struct kernel_change *change)
{
    struct conducting *conducting = (struct conducting *)(void *)change;
    struct conduct *conduct = conduct_of(hub, session);
    free(conduct->row);
    conduct->row = conducting->row;
    conducting->row = NULL;
    desk_of(hub)->pauses += conducting->pauses;
}

static void destroy_conducting(struct kernel_change *change)
{
    free(((struct conducting *)(void *)change)->row);
    free(change);
}

static const struct kernel_change_type conducting_type = {.carry_out = become_durable,
                                                          .destroy = destroy_conducting};

static struct conducting *begin_change(const struct hub *hub, const struct session *session)
{
    const struct conduct_row *before = conduct_of(hub, session)->row;
    struct conducting *conducting = calloc(1, sizeof *conducting);
    struct conduct_row *row = calloc(1, sizeof *row);
    if (!conducting || !row) {
        free(conducting);
        free(row);
        return NULL;
    }
    if (before)
        *row = *before;
    row->session = kernel_session_id(session);
    *conducting = (struct conducting){{&conducting_type}, row, false};
    return conducting;
}

/* To those who look after the site; memory is reserved. False: there is none. */
static bool tell_gave_up(struct hub *hub, const struct session *session,
                         const struct store_letter *letter, unsigned count)
{
    char room[PROTOCOL_ROOM_BYTES + 1] = "";
    const struct protocol_account *account = kernel_account(session);
    struct buffer buffer;
    struct writer writer;
    memcpy(room, letter->text, PROTOCOL_ROOM_BYTES);
    buffer_init(&buffer, 0, KERNEL_SEEN_BYTES);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    writer_key_int(&writer, "at", kernel_now_ms(hub));
    writer_key_string(&writer, "room", room);
    writer_key_string(&writer, "name", kernel_session_name(session));
    if (account)
        writer_key_string(&writer, "handle", account->handle);
    writer_key_int(&writer, "gave_up", count);
    writer_key_int(&writer, "of", GAVE_UP_OF);
    writer_end(&writer);
    const bool told =
        !buffer.failed && kernel_tell_seen(hub, session, buffer_payload(&buffer), buffer.len) == 0;
    buffer_release(&buffer);
    return told;
}

enum letter_fate conduct_apply(struct hub *hub, const struct store_letter *letter)
{
    struct session *session = kernel_session_find(hub, letter->addressee);
    if (!read_letter(letter))
        return LETTER_REFUSED;
    if (!session || is_forgiven(hub, session, letter))
        return LETTER_APPLIED;
    struct conducting *conducting =
        kernel_session_is_changing(session) ? NULL : begin_change(hub, session);
    if (!conducting)
        return LETTER_LATER;
    const char outcome = letter->text[PROTOCOL_ROOM_BYTES + 1];
    conducting->pauses =
        conduct_add(conducting->row, (enum conduct_outcome)outcome, kernel_now_ms(hub));
    const unsigned gave_up = gave_up_often(conducting->row->outcomes);
    if (gave_up > 0 && !tell_gave_up(hub, session, letter, gave_up)) {
        destroy_conducting(&conducting->change);
        return LETTER_LATER;
    }
    kernel_put_row(hub, &conduct_table, conducting->row);
    kernel_change_session(hub, session, &conducting->change);
    return LETTER_APPLIED;
}
