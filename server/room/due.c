/*
 * Events that no request of a client causes: flags fall, computers play, agreed offers take effect,
 * abandoned matches end, the operator closes one. Decided without changing anything, as requests
 * are.
 *
 * One list of causes answers both "when?" and "what?": each has a time from which it holds, and the
 * first in the list that is due is what happens next.
 */
#include "room_internal.h"
#include <assert.h>
#include <string.h>

/* How much of the time since the last event no clock is charged for. */
static int64_t held_ms_until(const struct room *room, int64_t now_ms)
{
    int64_t since = room->match->at_ms;
    if (now_ms <= since)
        return 0;
    int64_t until = room->durable && room->durable_ms < now_ms ? room->durable_ms : now_ms;
    return until > since ? until - since : 0;
}

void room_begin_event(const struct room *room, int64_t now_ms, enum room_event_kind kind,
                      uint8_t seat, struct room_event *event)
{
    int64_t at_ms = now_ms > room->match->at_ms ? now_ms : room->match->at_ms;
    *event = (struct room_event){
        .seq = room->match->seq + 1,
        .at_ms = at_ms,
        .held_ms = held_ms_until(room, at_ms),
        .origin = {.request_id = ROOM_NO_REQUEST},
        .kind = kind,
        .seat = seat,
        .text = "",
    };
}

static bool is_set(uint32_t set, unsigned seat)
{
    return (set >> seat) & 1;
}

/* `later` without overflow. */
static int64_t after_ms(int64_t time_ms, int64_t later)
{
    return later > INT64_MAX - time_ms ? INT64_MAX : time_ms + later;
}

/* The seats whose clocks run to an end. */
static uint32_t seats_running(const struct room *room)
{
    if (!room->durable || room->setup.clock.kind == PROTOCOL_CLOCK_NONE)
        return 0;
    return match_acting(&room->setup, room->match) & ~match_computers(&room->setup, room->match);
}

/* Of a clock that runs. */
static int64_t flag_ms(const struct room *room, uint8_t seat)
{
    const struct match *match = room->match;
    int64_t since = match->at_ms > room->durable_ms ? match->at_ms : room->durable_ms;
    return after_ms(
        since, clock_flag_ms(&match->seats[seat].clock, &room->setup.clock, ROOM_FLAG_GRACE_MS));
}

int64_t room_flag_ms(const struct room *room, uint8_t seat)
{
    return is_set(seats_running(room), seat) ? flag_ms(room, seat) : INT64_MAX;
}

int64_t room_move_s(const struct room *room)
{
    enum { DAY_S = 24 * 3600 };
    const struct protocol_clock *clock = &room->setup.clock;
    switch (clock->kind) {
    case PROTOCOL_CLOCK_NONE:
        break;
    case PROTOCOL_CLOCK_MOVE:
        return clock->move_s;
    case PROTOCOL_CLOCK_FISCHER:
        return (int64_t)clock->bank_s + clock->increment_s;
    case PROTOCOL_CLOCK_BYOYOMI:
        return (int64_t)clock->bank_s + clock->period_s;
    case PROTOCOL_CLOCK_DAYS:
        return (int64_t)clock->days * DAY_S;
    case PROTOCOL_CLOCK_KIND_COUNT:
        break;
    }
    return INT64_MAX;
}

bool room_agreed(const struct room *room, enum protocol_offer what, uint32_t and_also)
{
    uint32_t people = match_people(&room->setup, room->match);
    uint32_t offered = room->match->offers[what] | and_also;
    return people != 0 && (people & ~offered) == 0;
}

/* ---- the causes: when each holds, INT64_MAX for never */

struct due {
    int64_t at_ms;
    uint8_t seat;
    enum protocol_offer what;
};

/*
 * Nobody can block the others for ever. When everybody who is missing from the offer has been away
 * for so long, the offer takes effect without them. That holds for `resume`, and for `call-off`
 * only if there is no clock; with a clock the absent player loses on time instead, so that a match
 * cannot be called off shortly before it is won. Who is there but does not agree to `resume` has
 * the time that everybody can see (match_resumes_ms).
 */
static int64_t away_too_long_ms(const struct room *room, const struct room_limits *limits,
                                enum protocol_offer what, uint32_t missing)
{
    enum protocol_clock_kind clock = room->setup.clock.kind;
    bool resume = what == PROTOCOL_OFFER_RESUME;
    bool call_off = what == PROTOCOL_OFFER_CALL_OFF && clock == PROTOCOL_CLOCK_NONE;
    uint32_t there = match_people(&room->setup, room->match) & room->present;
    int64_t wait_ms = clock == PROTOCOL_CLOCK_DAYS ? limits->paused_ms : limits->abandoned_ms;
    int64_t due_ms = INT64_MIN;
    if ((!resume && !call_off) || there == 0 || (!resume && (missing & there) != 0))
        return INT64_MAX;
    for (unsigned i = 0; i < room->setup.seats; i++) {
        if (!is_set(missing, i))
            continue;
        int64_t at_ms = is_set(there, i) ? match_resumes_ms(&room->setup, room->match)
                                         : after_ms(room->away_ms[i], wait_ms);
        due_ms = at_ms > due_ms ? at_ms : due_ms;
    }
    return due_ms;
}

static bool anything_offered(const struct match *match)
{
    uint32_t offers = 0;
    for (unsigned i = 0; i < PROTOCOL_OFFER_COUNT; i++)
        offers |= match->offers[i];
    return offers != 0;
}

/*
 * When a player is out, the others may have agreed already. If only computers are left in a paused
 * match, it resumes by itself.
 */
static struct due due_agreement(const struct room *room, const struct room_limits *limits)
{
    const struct match *match = room->match;
    struct due first = {.at_ms = INT64_MAX, .seat = ROOM_NO_SEAT};
    if (match->phase != PROTOCOL_PHASE_PAUSED && !anything_offered(match))
        return first;
    uint32_t people = match_people(&room->setup, match);
    if (match->phase == PROTOCOL_PHASE_PAUSED && people == 0)
        return (struct due){.at_ms = 0, .seat = ROOM_NO_SEAT, .what = PROTOCOL_OFFER_RESUME};
    for (unsigned i = 0; people != 0 && i < PROTOCOL_OFFER_COUNT; i++) {
        enum protocol_offer what = (enum protocol_offer)i;
        uint32_t missing = people & ~match->offers[i];
        int64_t at_ms = missing == 0 ? 0 : away_too_long_ms(room, limits, what, missing);
        if (match->offers[i] != 0 && at_ms < first.at_ms) {
            first.at_ms = at_ms;
            first.what = what;
        }
    }
    return first;
}

static struct due due_return(const struct room *room)
{
    bool over = room->match->phase == PROTOCOL_PHASE_OVER;
    for (unsigned i = 0; !over && i < room->setup.seats; i++) {
        const struct seat *seat = &room->match->seats[i];
        if (is_set(room->came_back, i) && seat->replaced && !seat->returning)
            return (struct due){.at_ms = 0, .seat = (uint8_t)i};
    }
    return (struct due){.at_ms = INT64_MAX};
}

/*
 * A computer moves only after durable events. In a seat of its own it pauses before it moves, and
 * takes the time to think.
 */
static struct due due_computer(const struct room *room, const struct room_limits *limits)
{
    uint8_t seat = room_computer_next(room);
    if (seat == ROOM_NO_SEAT)
        return (struct due){.at_ms = INT64_MAX};
    const struct match *match = room->match;
    int64_t at_ms = match->at_ms;
    if (match->seats[seat].bot) {
        int64_t thought_ms = room_thought_until_ms(room);
        at_ms = after_ms(at_ms, limits->computer_ms);
        if (at_ms < thought_ms)
            at_ms = thought_ms;
    }
    return (struct due){.at_ms = at_ms, .seat = seat};
}

static struct due due_flag(const struct room *room)
{
    struct due due = {.at_ms = INT64_MAX};
    const uint32_t running = seats_running(room);
    for (unsigned i = 0; running >> i; i++) {
        int64_t at_ms = is_set(running, i) ? flag_ms(room, (uint8_t)i) : INT64_MAX;
        if (at_ms < due.at_ms)
            due = (struct due){.at_ms = at_ms, .seat = (uint8_t)i};
    }
    return due;
}

/*
 * No player is connected any more. A match of computers alone ends by itself; with days per move
 * players need not be connected, and the clock ends the match.
 */
static struct due due_abandoned(const struct room *room, const struct room_limits *limits)
{
    const struct match *match = room->match;
    const uint32_t seats = (UINT32_C(1) << room->setup.seats) - 1;
    if ((room->present & seats) == seats) /* as most often: not even asked who still plays */
        return (struct due){.at_ms = INT64_MAX};
    bool playing = match->phase == PROTOCOL_PHASE_PLAYING;
    bool days = room->setup.clock.kind == PROTOCOL_CLOCK_DAYS;
    uint32_t people = match_people(&room->setup, match);
    if ((!playing && match->phase != PROTOCOL_PHASE_PAUSED) || (playing && days) || people == 0 ||
        (people & room->present) != 0)
        return (struct due){.at_ms = INT64_MAX};
    int64_t wait_ms = playing ? limits->abandoned_ms : limits->paused_ms;
    int64_t since = room->presence_ms > match->at_ms ? room->presence_ms : match->at_ms;
    return (struct due){.at_ms = after_ms(since, wait_ms), .seat = ROOM_NO_SEAT};
}

int64_t room_deadline_ms(const struct room *room, const struct room_limits *limits)
{
    const struct due all[] = {due_agreement(room, limits), due_return(room),
                              due_computer(room, limits), due_flag(room),
                              due_abandoned(room, limits)};
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].at_ms < first)
            first = all[i].at_ms;
    }
    return first;
}

/* ---- what they do */

static void put_text(struct room_event *event, char *scratch, const char *text)
{
    size_t len = strlen(text);
    memcpy(scratch, text, len);
    event->text = scratch;
    event->text_len = (uint16_t)len;
}

static void make_agreement(const struct room *room, const struct due *due, int64_t now_ms,
                           struct room_event *event, char *scratch)
{
    const char *text = protocol_offer_name(due->what);
    enum room_event_kind kind = ROOM_PAUSED;
    if (due->what == PROTOCOL_OFFER_RESUME)
        kind = ROOM_RESUMED;
    if (due->what == PROTOCOL_OFFER_CALL_OFF) {
        kind = ROOM_CALLED_OFF;
        text = MATCH_CALLED_OFF_TEXT;
    }
    room_begin_event(room, now_ms, kind, ROOM_NO_SEAT, event);
    put_text(event, scratch, text);
}

/* What has been thought of, or what can be found at once. The length. */
static size_t choose(const struct room *room, uint8_t number, char *move)
{
    const struct game_type *game = room->setup.game;
    const void *value = match_game_of(room->match);
    const struct seat *seat = &room->match->seats[number];
    size_t len = seat->bot ? room_thought_move(room, number, move) : 0;
    if (len > 0)
        return len;
    uint64_t seed = room_choice_seed(room);
    return seat->bot ? game_choose(game, value, number, seat->level, seed, move)
                     : game_stand_in(game, value, number, seed, move);
}

static void make_computer(const struct room *room, const struct due *due, int64_t now_ms,
                          struct room_event *event, char *scratch)
{
    room_begin_event(room, now_ms, ROOM_MOVE, due->seat, event);
    event->text = scratch;
    event->text_len = (uint16_t)choose(room, due->seat, scratch);
}

bool room_decide_due(const struct room *room, const struct room_limits *limits, int64_t now_ms,
                     struct room_event *event, char scratch[ROOM_EVENT_TEXT_MAX])
{
    struct due due = due_agreement(room, limits);
    if (due.at_ms <= now_ms) {
        make_agreement(room, &due, now_ms, event, scratch);
        return true;
    }
    due = due_return(room);
    if (due.at_ms <= now_ms) {
        room_begin_event(room, now_ms, ROOM_RETURNED, due.seat, event);
        return true;
    }
    due = due_computer(room, limits);
    if (due.at_ms <= now_ms) {
        make_computer(room, &due, now_ms, event, scratch);
        return true;
    }
    due = due_flag(room);
    if (due.at_ms <= now_ms) {
        bool out = room->setup.clock.on_timeout == PROTOCOL_TIMEOUT_ELIMINATE;
        room_begin_event(room, now_ms, out ? ROOM_TIMED_OUT : ROOM_REPLACED, due.seat, event);
        return true;
    }
    due = due_abandoned(room, limits);
    if (due.at_ms <= now_ms) {
        room_begin_event(room, now_ms, ROOM_CALLED_OFF, ROOM_NO_SEAT, event);
        put_text(event, scratch, MATCH_ABANDONED_TEXT);
        return true;
    }
    return false;
}

bool room_decide_close(const struct room *room, int64_t now_ms, struct room_event *event,
                       char scratch[ROOM_EVENT_TEXT_MAX])
{
    const enum protocol_phase phase = room->match->phase;
    if (phase != PROTOCOL_PHASE_PLAYING && phase != PROTOCOL_PHASE_PAUSED)
        return false;
    room_begin_event(room, now_ms, ROOM_CALLED_OFF, ROOM_NO_SEAT, event);
    put_text(event, scratch, MATCH_CLOSED_TEXT);
    return true;
}

bool room_decide_held(const struct room *room, int64_t since_ms, int64_t now_ms,
                      struct room_event *event)
{
    const struct match *match = room->match;
    uint32_t running = match_acting(&room->setup, match) & ~match_computers(&room->setup, match);
    if (room->setup.clock.kind == PROTOCOL_CLOCK_NONE || running == 0)
        return false;
    room_begin_event(room, now_ms, ROOM_RESUMED, ROOM_NO_SEAT, event);
    int64_t from = since_ms > match->at_ms ? since_ms : match->at_ms;
    int64_t held = event->held_ms + (event->at_ms > from ? event->at_ms - from : 0);
    int64_t all = event->at_ms - match->at_ms;
    event->held_ms = held < all ? held : all;
    return true;
}
