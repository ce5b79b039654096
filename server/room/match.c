#include "match.h"

#include "checkpoint.h"
#include "sat.h"
#include <assert.h>
#include <string.h>

void match_begin(const struct setup *setup, struct match *match, const struct match *from)
{
    if (match != from)
        match_copy(setup, match, from);
    memset(match, 0, match_game_at(setup));
    match->game_at = (uint32_t)match_game_at(setup);
    match->phase = PROTOCOL_PHASE_LOBBY;
    setup->game->rules->reset(match_game(match));
}

void match_init(const struct setup *setup, struct match *match, const void *value)
{
    match->game_at = (uint32_t)match_game_at(setup);
    memcpy(match_game(match), value, setup->game->size);
    match_begin(setup, match, match);
}

/* ---- looking */

uint32_t match_acting(const struct setup *setup, const struct match *match)
{
    if (match->phase != PROTOCOL_PHASE_PLAYING)
        return 0;
    return setup->game->rules->acting(match_game_of(match));
}

uint32_t match_computers(const struct setup *setup, const struct match *match)
{
    uint32_t computers = 0;
    for (unsigned i = 0; i < setup->seats; i++) {
        if (match->seats[i].bot || match->seats[i].replaced)
            computers |= UINT32_C(1) << i;
    }
    return computers;
}

uint32_t match_people(const struct setup *setup, const struct match *match)
{
    if (!match->dealt)
        return 0;
    return setup->game->rules->in_play(match_game_of(match)) & ~match_computers(setup, match);
}

int64_t match_resumes_ms(const struct setup *setup, const struct match *match)
{
    const bool days = setup->clock.kind == PROTOCOL_CLOCK_DAYS;
    if (match->resume_since_ms == 0)
        return INT64_MAX;
    return match->resume_since_ms + (days ? ROOM_RESUME_DAYS_MS : ROOM_RESUME_MS);
}

uint8_t match_seat_of(const struct setup *setup, const struct match *match, uint64_t session)
{
    for (unsigned i = 0; session != 0 && i < setup->seats; i++) {
        if (match->seats[i].session == session)
            return (uint8_t)i;
    }
    return ROOM_NO_SEAT;
}

struct game_outcome match_outcome(const struct setup *setup, const struct match *match)
{
    struct game_outcome outcome;
    assert(match->ending == MATCH_BY_GAME);
    bool over = setup->game->rules->over(match_game_of(match), &outcome);
    assert(over);
    return outcome;
}

const char *match_why(const struct setup *setup, const struct match *match)
{
    switch (match->ending) {
    case MATCH_GOES_ON:
        return NULL;
    case MATCH_BY_GAME:
        return match_outcome(setup, match).reason;
    case MATCH_CALLED_OFF:
        return MATCH_CALLED_OFF_TEXT;
    case MATCH_ABANDONED:
        return MATCH_ABANDONED_TEXT;
    case MATCH_CLOSED:
        return MATCH_CLOSED_TEXT;
    }
    assert(false && "no such ending");
    return NULL;
}

const char *match_unrated(const struct setup *setup, const struct match *match)
{
    if (!setup->rated[0] || match->ending == MATCH_GOES_ON)
        return NULL;
    if (match->early_out)
        return MATCH_ABORTED_TEXT;
    return match->ending == MATCH_BY_GAME ? NULL : match_why(setup, match);
}

/* ---- applying each kind of event */

struct step {
    const struct setup *setup;
    const struct log *log;
    const struct checkpoint *checkpoint;
    struct match *match;
    const struct room_event *event;
    bool confirm; /* of a move: the player means it */
    struct refusal *refusal;
};

static bool text_is(const struct room_event *event, const char *word)
{
    return event->text_len == strlen(word) && memcmp(event->text, word, event->text_len) == 0;
}

static struct seat *step_seat(const struct step *step)
{
    return &step->match->seats[step->event->seat];
}

static bool in_phase(const struct step *step, enum protocol_phase phase)
{
    return step->match->phase == phase;
}

static bool in_match(const struct step *step)
{
    return in_phase(step, PROTOCOL_PHASE_PLAYING) || in_phase(step, PROTOCOL_PHASE_PAUSED);
}

static bool apply_created(struct step *step)
{
    return step->event->seq == 1;
}

const char *match_level_word(const struct setup *setup, const struct seat *seat)
{
    return seat->bot ? game_level_word(setup->game, seat->level) : NULL;
}

static bool apply_sat(struct step *step)
{
    struct match *match = step->match;
    struct seat *seat = step_seat(step);
    struct seat after;
    memset(&after, 0, sizeof after); /* padding too: equal matches are equal bytes */
    after.taken = true;
    if (!in_phase(step, PROTOCOL_PHASE_LOBBY) || !sat_read(step->setup, step->event, &after) ||
        (!after.bot && step->event->origin.session == 0))
        return false;
    after.ready = after.bot;
    after.session = after.bot ? 0 : step->event->origin.session;
    uint8_t old = match_seat_of(step->setup, match, after.session);
    if (old == step->event->seat) {
        after.ready = seat->ready;
        memcpy(after.nonce, seat->nonce, sizeof after.nonce);
    } else if (seat->taken) {
        return false;
    } else if (old != ROOM_NO_SEAT) {
        memset(&match->seats[old], 0, sizeof match->seats[old]);
    }
    memcpy(seat, &after, sizeof after);
    return true;
}

static bool apply_stood(struct step *step)
{
    if (!in_phase(step, PROTOCOL_PHASE_LOBBY) || !step_seat(step)->taken)
        return false;
    memset(step_seat(step), 0, sizeof(struct seat));
    return true;
}

static bool apply_readied(struct step *step)
{
    const struct room_event *event = step->event;
    struct seat *seat = step_seat(step);
    if (!in_phase(step, PROTOCOL_PHASE_LOBBY) || !seat->taken || event->text_len < 1 ||
        event->text_len > 1 + PROTOCOL_NONCE_BYTES)
        return false;
    seat->ready = event->text[0] == '+';
    memset(seat->nonce, 0, sizeof seat->nonce);
    if (seat->ready)
        memcpy(seat->nonce, event->text + 1, event->text_len - 1U);
    return true;
}

static void deal(const struct setup *setup, const struct match *match, void *game)
{
    const char *nonces[PROTOCOL_SEATS];
    for (unsigned i = 0; i < setup->seats; i++)
        nonces[i] = match->seats[i].nonce;
    uint8_t key[DEAL_KEY_BYTES];
    struct deal_stream stream;
    deal_key(key, setup->seed.secret, nonces, setup->seats);
    deal_stream_init(&stream, key);
    setup->game->rules->deal(game, &stream);
}

static bool apply_started(struct step *step)
{
    struct match *match = step->match;
    if (!in_phase(step, PROTOCOL_PHASE_LOBBY))
        return false;
    for (unsigned i = 0; i < step->setup->seats; i++) {
        if (!match->seats[i].taken)
            return false;
        clock_begin(&match->seats[i].clock, &step->setup->clock);
    }
    deal(step->setup, match, match_game(match));
    match->dealt = true;
    match->phase = PROTOCOL_PHASE_PLAYING;
    return true;
}

static void end_turns(struct step *step, uint32_t turned)
{
    step->match->turned = turned;
    for (unsigned i = 0; i < step->setup->seats; i++) {
        struct seat *seat = &step->match->seats[i];
        if (!((turned >> i) & 1))
            continue;
        clock_turn_over(&seat->clock, &step->setup->clock);
        if (seat->turns < MATCH_FIRST_TURNS)
            seat->turns++;
    }
}

static bool has_hardly_begun(const struct step *step)
{
    unsigned seat = 0;
    while (seat < step->setup->seats && step->match->seats[seat].turns == MATCH_FIRST_TURNS)
        seat++;
    return seat < step->setup->seats;
}

static bool apply_move(struct step *step)
{
    const struct room_event *event = step->event;
    struct game_change change = {0};
    if (!in_phase(step, PROTOCOL_PHASE_PLAYING) ||
        !step->setup->game->rules->act(match_game(step->match), event->seat, event->text,
                                       event->text_len, step->confirm, &change, step->refusal))
        return false;
    end_turns(step, change.turned);
    return true;
}

/* A player who resigns or runs out of time gets no increment. */
static bool apply_forfeit(struct step *step)
{
    struct game_change change = {0};
    if (!in_match(step) ||
        !step->setup->game->rules->forfeit(match_game(step->match), step->event->seat, &change))
        return false;
    step->match->early_out |= has_hardly_begun(step);
    end_turns(step, change.turned & ~(UINT32_C(1) << step->event->seat));
    return true;
}

/* The game as it was before the event `skip`, or earlier; as of which event. */
static uint64_t begin_game(const struct step *step, uint64_t skip, void *game)
{
    const struct game_type *type = step->setup->game;
    const struct checkpoint *checkpoint = step->checkpoint;
    if (checkpoint_reaches(checkpoint, skip - 1) && checkpoint->match->dealt) {
        memcpy(game, match_game_of(checkpoint->match), type->size);
        return checkpoint->match->seq;
    }
    type->rules->reset(game);
    deal(step->setup, step->match, game);
    return 0;
}

/* Plays the game again up to (not including) `seq`, without what was undone and without `skip`. */
static bool replay_game(const struct step *step, uint64_t seq, uint64_t skip, void *game)
{
    const struct game_type *type = step->setup->game;
    struct game_change change;
    struct refusal refusal;
    for (uint64_t i = begin_game(step, skip, game) + 1; i < seq; i++) {
        struct room_event event;
        log_get(step->log, i, &event);
        bool ok = true;
        if (event.kind == ROOM_MOVE && i != skip && !log_undone(step->log, i, seq))
            ok = type->rules->act(game, event.seat, event.text, event.text_len, true, &change,
                                  &refusal);
        else if (event.kind == ROOM_RESIGNED || event.kind == ROOM_TIMED_OUT)
            ok = type->rules->forfeit(game, event.seat, &change);
        if (!ok)
            return false;
    }
    return true;
}

/* The move that the event undoes, or 0: the seat's last one that nothing before it has undone. */
static uint64_t find_undone(const struct log *log, const struct room_event *event)
{
    for (uint64_t i = event->seq - 1; i > 0; i--) {
        const struct log_entry *entry = &log->entries[i - 1];
        if (entry->kind == ROOM_MOVE && entry->seat == event->seat &&
            !log_undone(log, i, event->seq - 1))
            return i;
    }
    return 0;
}

static bool apply_undone(struct step *step)
{
    void *game = match_game(step->match);
    if (!in_phase(step, PROTOCOL_PHASE_PLAYING) ||
        !step->setup->game->rules->may_undo(game, step->event->seat))
        return false;
    uint64_t undone = find_undone(step->log, step->event);
    return undone != 0 && replay_game(step, step->event->seq, undone, game);
}

static bool apply_replaced(struct step *step)
{
    if (!in_match(step) || step_seat(step)->bot)
        return false;
    step_seat(step)->replaced = true;
    return true;
}

/* A player who takes the seat back in the middle of each turn must not delay the match. */
static bool apply_returned(struct step *step)
{
    struct seat *seat = step_seat(step);
    if (!in_match(step) || !seat->replaced || seat->returning)
        return false;
    seat->returning = true; /* see return_seats */
    return true;
}

static bool apply_offer(struct step *step)
{
    const struct room_event *event = step->event;
    enum protocol_offer what;
    if (!in_match(step) || !protocol_offer_find(&what, event->text, event->text_len))
        return false;
    uint32_t bit = UINT32_C(1) << event->seat;
    if (event->kind == ROOM_OFFERED)
        step->match->offers[what] |= bit;
    else
        step->match->offers[what] &= ~bit;
    return true;
}

static bool apply_paused(struct step *step)
{
    if (!in_phase(step, PROTOCOL_PHASE_PLAYING))
        return false;
    step->match->phase = PROTOCOL_PHASE_PAUSED;
    memset(step->match->offers, 0, sizeof step->match->offers);
    return true;
}

/* In a match that was not paused: the server was down, its clocks go on now. */
static bool apply_resumed(struct step *step)
{
    if (in_phase(step, PROTOCOL_PHASE_PLAYING))
        return true;
    if (!in_phase(step, PROTOCOL_PHASE_PAUSED))
        return false;
    step->match->phase = PROTOCOL_PHASE_PLAYING;
    memset(step->match->offers, 0, sizeof step->match->offers);
    return true;
}

static enum match_ending ending_of(const struct room_event *event)
{
    if (text_is(event, MATCH_CALLED_OFF_TEXT))
        return MATCH_CALLED_OFF;
    if (text_is(event, MATCH_ABANDONED_TEXT))
        return MATCH_ABANDONED;
    return text_is(event, MATCH_CLOSED_TEXT) ? MATCH_CLOSED : MATCH_GOES_ON;
}

static bool apply_called_off(struct step *step)
{
    const enum match_ending ending = ending_of(step->event);
    if (!in_match(step) || ending == MATCH_GOES_ON)
        return false;
    step->match->ending = ending;
    step->match->phase = PROTOCOL_PHASE_OVER;
    return true;
}

static bool apply_rematched(struct step *step)
{
    struct match *match = step->match;
    if (!in_phase(step, PROTOCOL_PHASE_OVER) || match->rematch[0] ||
        step->event->text_len != PROTOCOL_ROOM_BYTES)
        return false;
    memcpy(match->rematch, step->event->text, PROTOCOL_ROOM_BYTES);
    return true;
}

static bool apply_hinted(struct step *step)
{
    struct seat *seat = step_seat(step);
    if (!in_phase(step, PROTOCOL_PHASE_PLAYING) || !step->setup->hints || seat->bot ||
        seat->hints == UINT16_MAX)
        return false;
    seat->hints++;
    return true;
}

static bool (*const appliers[ROOM_EVENT_KINDS])(struct step *step) = {
    [ROOM_CREATED] = apply_created,     [ROOM_SAT] = apply_sat,
    [ROOM_STOOD] = apply_stood,         [ROOM_READIED] = apply_readied,
    [ROOM_STARTED] = apply_started,     [ROOM_MOVE] = apply_move,
    [ROOM_UNDONE] = apply_undone,       [ROOM_RESIGNED] = apply_forfeit,
    [ROOM_TIMED_OUT] = apply_forfeit,   [ROOM_REPLACED] = apply_replaced,
    [ROOM_RETURNED] = apply_returned,   [ROOM_OFFERED] = apply_offer,
    [ROOM_WITHDREW] = apply_offer,      [ROOM_PAUSED] = apply_paused,
    [ROOM_RESUMED] = apply_resumed,     [ROOM_CALLED_OFF] = apply_called_off,
    [ROOM_REMATCHED] = apply_rematched, [ROOM_HINTED] = apply_hinted,
};

/* ---- one event */

static const bool about_seat[ROOM_EVENT_KINDS] = {
#define ABOUT_SEAT(name, number, about) [ROOM_##name] = (about),
    ROOM_EVENTS(ABOUT_SEAT)
#undef ABOUT_SEAT
};

static bool frame_is_sound(const struct setup *setup, const struct match *match,
                           const struct room_event *event)
{
    if (event->seq != match->seq + 1 || (event->kind == ROOM_CREATED) != (event->seq == 1))
        return false;
    if ((unsigned)event->kind >= ROOM_EVENT_KINDS)
        return false;
    bool named = event->seat < setup->seats;
    if (!named && (event->seat != ROOM_NO_SEAT || about_seat[event->kind]))
        return false;
    if (event->seq == 1)
        return event->held_ms == 0;
    return event->at_ms >= match->at_ms && event->held_ms >= 0 &&
           event->held_ms <= event->at_ms - match->at_ms;
}

/* The clocks of people who may act have run since the event before. */
static void charge_clocks(const struct setup *setup, struct match *match,
                          const struct room_event *event)
{
    if (setup->clock.kind == PROTOCOL_CLOCK_NONE)
        return;
    uint32_t running = match_acting(setup, match) & ~match_computers(setup, match);
    int64_t ms = event->at_ms - match->at_ms - event->held_ms;
    for (unsigned i = 0; running >> i; i++) {
        if ((running >> i) & 1)
            clock_charge(&match->seats[i].clock, &setup->clock, ms);
    }
}

/* Players who are back take their seats over, unless the computer has a turn to finish. */
static void return_seats(const struct setup *setup, struct match *match)
{
    uint32_t in_turn = setup->game->rules->acting(match_game_of(match)) & ~match->turned;
    for (unsigned i = 0; i < setup->seats; i++) {
        struct seat *seat = &match->seats[i];
        if (!seat->returning || ((in_turn >> i) & 1))
            continue;
        seat->replaced = seat->returning = false;
        clock_return(&seat->clock, &setup->clock);
    }
}

static void follow_up(const struct setup *setup, struct match *match)
{
    bool in_match = match->phase == PROTOCOL_PHASE_PLAYING || match->phase == PROTOCOL_PHASE_PAUSED;
    if (in_match && setup->game->rules->over(match_game_of(match), NULL)) {
        match->phase = PROTOCOL_PHASE_OVER;
        match->ending = MATCH_BY_GAME;
    }
    if (in_match)
        return_seats(setup, match);
    uint32_t people = match->phase == PROTOCOL_PHASE_OVER ? 0 : match_people(setup, match);
    for (unsigned i = 0; i < PROTOCOL_OFFER_COUNT; i++)
        match->offers[i] &= people;
    if (match->offers[PROTOCOL_OFFER_RESUME] == 0)
        match->resume_since_ms = 0;
    else if (match->resume_since_ms == 0)
        match->resume_since_ms = match->at_ms;
}

bool match_try(const struct setup *setup, const struct log *log,
               const struct checkpoint *checkpoint, struct match *match,
               const struct room_event *event, bool confirm, struct refusal *refusal)
{
    struct step step = {.setup = setup,
                        .log = log,
                        .checkpoint = checkpoint,
                        .match = match,
                        .event = event,
                        .confirm = confirm,
                        .refusal = refusal};
    if (!frame_is_sound(setup, match, event))
        return false;
    charge_clocks(setup, match, event);
    match->turned = 0;
    if (!appliers[event->kind](&step))
        return false;
    match->seq = event->seq;
    match->at_ms = event->at_ms;
    follow_up(setup, match);
    return true;
}

bool match_apply(const struct setup *setup, const struct log *log,
                 const struct checkpoint *checkpoint, struct match *match,
                 const struct room_event *event)
{
    struct refusal refusal;
    return match_try(setup, log, checkpoint, match, event, true, &refusal);
}

void match_replay(const struct setup *setup, const struct log *log, struct checkpoint *checkpoint,
                  struct match *match, const struct match *from, uint64_t seq)
{
    if (checkpoint_reaches(checkpoint, seq)) {
        match_copy(setup, match, checkpoint->match);
    } else {
        checkpoint->valid = false;
        match_begin(setup, match, from);
    }
    while (match->seq < seq) {
        struct room_event event;
        log_get(log, match->seq + 1, &event);
        bool applied = match_apply(setup, log, checkpoint, match, &event);
        assert(applied);
        checkpoint_follow(checkpoint, setup, log, match);
    }
}
