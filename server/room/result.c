#include <room/result.h>

#include "room_internal.h"

static void describe_seat(const struct setup *setup, const struct match *match, uint32_t in_play,
                          unsigned seat, struct room_result_seat *result)
{
    const struct seat *taken = &match->seats[seat];
    *result = (struct room_result_seat){.session = taken->session,
                                        .account = taken->account,
                                        .level = taken->level,
                                        .word = match_level_word(setup, taken),
                                        .in_play = in_play >> seat & 1,
                                        .stood_in_for = taken->replaced,
                                        .hints = taken->hints};
}

/* May it be somebody else's turn from that on? Where several act at once it may be theirs longer.
 */
static bool may_begin_turn(const struct log_entry *entry)
{
    switch ((enum room_event_kind)entry->kind) {
    case ROOM_STARTED:
    case ROOM_MOVE:
    case ROOM_UNDONE:
    case ROOM_RESIGNED:
    case ROOM_TIMED_OUT:
    case ROOM_RESUMED:
    case ROOM_RETURNED:
        return true;
    case ROOM_CREATED:
    case ROOM_SAT:
    case ROOM_STOOD:
    case ROOM_READIED:
    case ROOM_REPLACED:
    case ROOM_OFFERED:
    case ROOM_WITHDREW:
    case ROOM_PAUSED:
    case ROOM_CALLED_OFF:
    case ROOM_REMATCHED:
    case ROOM_HINTED:
        break;
    }
    return false;
}

static void find_out(const struct room *room, struct room_result *result)
{
    uint32_t moves = 0;
    int64_t turn_ms = 0;
    for (uint32_t i = 0; i < room->log.count; i++) {
        const struct log_entry *entry = &room->log.entries[i];
        const bool resigned = entry->kind == ROOM_RESIGNED;
        const int64_t idle_ms = entry->at_ms - turn_ms;
        turn_ms = may_begin_turn(entry) ? entry->at_ms : turn_ms;
        if (entry->undone_by != 0)
            continue;
        moves += entry->kind == ROOM_MOVE;
        if (!resigned && entry->kind != ROOM_TIMED_OUT)
            continue;
        result->seat[entry->seat].idle_ms = resigned ? 0 : idle_ms;
        result->seat[entry->seat].resigned = resigned;
        result->seat[entry->seat].timed_out = !resigned;
        result->seat[entry->seat].out_moves = moves;
    }
}

/* ---- who has asked first for what all have agreed to then */

static bool is_call_off(const struct room_event *event)
{
    enum protocol_offer what;
    return protocol_offer_find(&what, event->text, event->text_len) &&
           what == PROTOCOL_OFFER_CALL_OFF;
}

/* Whose word was the last one has not offered before; it may have been the only one. */
static bool has_agreed(const struct room_event *event, uint64_t session)
{
    return event->kind == ROOM_CALLED_OFF && event->origin.session != 0 &&
           event->origin.session == session;
}

/* The last word of each who was there at the end is the one that they have agreed by. */
static void follow_asking(const struct room_event *event, const struct room_result *result,
                          uint64_t asked[static PROTOCOL_SEATS])
{
    for (unsigned seat = 0; seat < result->seats; seat++) {
        const bool offered = event->kind == ROOM_OFFERED && event->seat == seat;
        if ((offered && is_call_off(event)) || has_agreed(event, result->seat[seat].session))
            asked[seat] = event->seq;
    }
}

static void find_asker(const struct room *room, struct room_result *result)
{
    uint64_t asked[PROTOCOL_SEATS] = {0};
    struct room_result_seat *first = NULL;
    uint64_t first_at = UINT64_MAX;
    struct room_event event;
    for (uint64_t seq = 1; seq <= room->log.count; seq++) {
        log_get(&room->log, seq, &event);
        follow_asking(&event, result, asked);
    }
    for (unsigned seat = 0; seat < result->seats; seat++) {
        struct room_result_seat *own = &result->seat[seat];
        if (asked[seat] == 0 || asked[seat] > first_at || !own->in_play || own->stood_in_for)
            continue;
        first = own;
        first_at = asked[seat];
    }
    if (first)
        first->asked_off = true;
}

static void rank_seats(const struct game_outcome *outcome, struct room_result *result)
{
    result->teams = outcome->teams;
    for (unsigned i = 0; i < result->seats; i++) {
        struct room_result_seat *seat = &result->seat[i];
        const unsigned side = outcome->teams ? i % outcome->teams : i;
        seat->team = (uint8_t)(outcome->teams ? side : 0);
        seat->rank = outcome->teams ? 0 : outcome->ranks[i];
        seat->won = outcome->winners >> side & 1;
    }
}

bool room_result(const struct room *room, struct room_result *result)
{
    const struct setup *setup = &room->setup;
    const struct match *match = room->match;
    if (!match || match->phase != PROTOCOL_PHASE_OVER)
        return false;
    const uint32_t in_play = setup->game->rules->in_play(match_game_of(match));
    *result = (struct room_result){.room_id = setup->seed.id,
                                   .game = setup->game->name,
                                   .reason = match_why(setup, match),
                                   .decided = match->ending == MATCH_BY_GAME,
                                   .ended_ms = match->at_ms,
                                   .access = setup->access,
                                   .hints = setup->hints,
                                   .rated = setup->rated,
                                   .early_out = match->early_out,
                                   .clock = setup->clock,
                                   .seats = setup->seats};
    for (unsigned i = 0; i < setup->seats; i++)
        describe_seat(setup, match, in_play, i, &result->seat[i]);
    find_out(room, result);
    if (match->ending == MATCH_CALLED_OFF)
        find_asker(room, result);
    if (result->decided) {
        const struct game_outcome outcome = match_outcome(setup, match);
        rank_seats(&outcome, result);
    }
    return true;
}

uint32_t room_in_play(const struct room *room)
{
    const struct match *match = room->match;
    uint32_t seats = 0;
    if (match->phase == PROTOCOL_PHASE_LOBBY || match->phase == PROTOCOL_PHASE_OVER)
        return 0;
    for (unsigned i = 0; i < room->setup.seats; i++)
        seats |= match->seats[i].session != 0 ? UINT32_C(1) << i : 0;
    return seats & room->setup.game->rules->in_play(match_game_of(match));
}

bool room_has_met(const struct room *room)
{
    uint64_t first = 0;
    for (uint32_t i = 0; i < room->log.count; i++) {
        const struct log_entry *entry = &room->log.entries[i];
        if (entry->kind != ROOM_MOVE || entry->origin.session == 0)
            continue;
        if (first != 0 && first != entry->origin.session)
            return true;
        first = entry->origin.session;
    }
    return false;
}

void room_write_options(const struct room *room, struct writer *writer)
{
    room->setup.game->rules->write_options(match_game_of(room->match), writer);
}

/* False: out of memory. */
static bool write_options(const struct game_type *game, const void *value, struct buffer *out)
{
    struct writer writer;
    buffer_init(out, 0, ROOM_EVENT_TEXT_MAX);
    writer_init(&writer, out);
    game->rules->write_options(value, &writer);
    return !out->failed;
}

bool room_has_options(const struct room *room, const json_t *options)
{
    const struct setup *setup = &room->setup;
    _Alignas(max_align_t) unsigned char value[GAME_VALUE_MAX] = {0};
    struct buffer own, other;
    struct refusal refusal;
    if (!setup->game->rules->create(value, setup->rules_version, options, &refusal))
        return false;
    const bool written = write_options(setup->game, match_game_of(room->match), &own);
    const bool same = write_options(setup->game, value, &other) && written &&
                      own.len == other.len &&
                      memcmp(buffer_payload(&own), buffer_payload(&other), own.len) == 0;
    buffer_release(&own);
    buffer_release(&other);
    return same;
}
