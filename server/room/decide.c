/*
 * What a request would do, decided without changing anything: one function an operation, in one
 * table. The rules of the game are asked last, by playing the move on the draft.
 */
#include "budget.h"
#include "room_internal.h"
#include "sat.h"
#include "seat_name.h"
#include <assert.h>
#include <protocol/reply.h>
#include <stdint.h>
#include <string.h>

struct decision {
    const struct room *room;
    const struct room_actor *actor;
    const struct request *request;
    int64_t now_ms;
    uint8_t seat; /* the actor's, or ROOM_NO_SEAT */
    struct room_event *event;
    struct room_draft *draft;
    struct refusal *refusal;
};

/* ---- helpers */

static bool refuse_field(const struct decision *decision, enum protocol_error error,
                         const char *field)
{
    *decision->refusal = (struct refusal){.error = error, .field = field};
    return false;
}

/* Accepted, and there is nothing to change. */
static bool make_no_event(const struct decision *decision)
{
    decision->event->seq = 0;
    return true;
}

static bool make_event(const struct decision *decision, enum room_event_kind kind, uint8_t seat,
                       size_t text_len)
{
    struct room_event *event = decision->event;
    room_begin_event(decision->room, decision->now_ms, kind, seat, event);
    event->origin.session = decision->actor->session;
    event->origin.request_id = decision->request->id;
    event->origin.digest = request_digest(decision->request);
    event->text = decision->draft->text;
    event->text_len = (uint16_t)text_len;
    return true;
}

static bool make_text(const struct decision *decision, enum room_event_kind kind, uint8_t seat,
                      const char *text)
{
    size_t len = strlen(text);
    assert(len <= ROOM_EVENT_TEXT_MAX);
    memcpy(decision->draft->text, text, len);
    return make_event(decision, kind, seat, len);
}

static const struct match *match_of(const struct decision *decision)
{
    return decision->room->match;
}

static bool is_host(const struct decision *decision)
{
    return decision->actor->session == decision->room->setup.seed.host;
}

static bool need_lobby(const struct decision *decision)
{
    return match_of(decision)->phase == PROTOCOL_PHASE_LOBBY ||
           refuse_field(decision, PROTOCOL_NOT_IN_LOBBY, NULL);
}

static bool need_host(const struct decision *decision)
{
    return is_host(decision) || refuse_field(decision, PROTOCOL_NOT_HOST, NULL);
}

static bool need_seat(const struct decision *decision)
{
    return decision->seat != ROOM_NO_SEAT || refuse_field(decision, PROTOCOL_NOT_SEATED, NULL);
}

/* Bounds the log, for events that somebody could repeat for ever: each has a part of it. */
static bool need_budget(const struct decision *decision, enum budget_use use)
{
    return budget_allows(decision->room, decision->actor->session, use) ||
           refuse_field(decision, PROTOCOL_TOO_MANY_CHANGES, NULL);
}

static bool need_space(const struct decision *decision)
{
    return need_budget(decision, BUDGET_CHANGE);
}

/* A running match in which the actor has a seat that is still in play. */
static bool need_part(const struct decision *decision)
{
    const struct match *match = match_of(decision);
    if (!need_seat(decision))
        return false;
    if (match->phase == PROTOCOL_PHASE_LOBBY)
        return refuse_field(decision, PROTOCOL_NOT_BEGUN, NULL);
    if (match->phase == PROTOCOL_PHASE_OVER)
        return refuse_field(decision, PROTOCOL_IS_OVER, NULL);
    uint32_t in_play = decision->room->setup.game->rules->in_play(match_game_of(match));
    if (!((in_play >> decision->seat) & 1))
        return refuse_field(decision, PROTOCOL_NOT_IN_PLAY, NULL);
    if (match->seats[decision->seat].replaced)
        return refuse_field(decision, PROTOCOL_COMPUTER_PLAYS, NULL);
    return true;
}

static bool need_running(const struct decision *decision)
{
    return need_part(decision) && (match_of(decision)->phase != PROTOCOL_PHASE_PAUSED ||
                                   refuse_field(decision, PROTOCOL_IS_PAUSED, NULL));
}

static bool need_turn(const struct decision *decision)
{
    if (!need_running(decision))
        return false;
    uint32_t acting = match_acting(&decision->room->setup, match_of(decision));
    if (!((acting >> decision->seat) & 1))
        return refuse_field(decision, PROTOCOL_NOT_YOUR_TURN, NULL);
    if (decision->now_ms > room_flag_ms(decision->room, decision->seat))
        return refuse_field(decision, PROTOCOL_TIME_IS_UP, NULL);
    return true;
}

/* ---- the lobby */

static uint8_t first_free_seat(const struct decision *decision)
{
    for (unsigned i = 0; i < decision->room->setup.seats; i++) {
        if (!match_of(decision)->seats[i].taken)
            return (uint8_t)i;
    }
    return ROOM_NO_SEAT;
}

/* The seat that is asked for, or the first free one. */
static bool choose_seat(const struct decision *decision, uint8_t *seat)
{
    if (!request_has(decision->request, REQUEST_SEAT)) {
        *seat = first_free_seat(decision);
        return *seat != ROOM_NO_SEAT || refuse_field(decision, PROTOCOL_NO_SEAT_FREE, NULL);
    }
    *seat = decision->request->seat;
    if (*seat >= decision->room->setup.seats)
        return refuse_field(decision, PROTOCOL_UNKNOWN_SEAT, "seat");
    return !match_of(decision)->seats[*seat].taken ||
           refuse_field(decision, PROTOCOL_SEAT_TAKEN, "seat");
}

static const char *const *colours_of(const struct decision *decision)
{
    return decision->room->setup.game->colours;
}

static bool colour_is_free(const struct decision *decision, int colour)
{
    for (unsigned i = 0; i < decision->room->setup.seats; i++) {
        const struct seat *seat = &match_of(decision)->seats[i];
        if (seat->taken && i != decision->seat && seat->colour == colour)
            return false;
    }
    return true;
}

/* Where seats have colours of their own, no other can be asked for. */
static bool take_colour_of(const struct decision *decision, uint8_t seat, const char **colour)
{
    *colour = colours_of(decision)[seat];
    if (!request_has(decision->request, REQUEST_COLOUR) ||
        strcmp(decision->request->colour, *colour) == 0)
        return true;
    const char *word = decision->request->colour;
    bool known = setup_find_colour(&decision->room->setup, word, strlen(word)) >= 0;
    return refuse_field(decision, known ? PROTOCOL_COLOUR_FIXED : PROTOCOL_UNKNOWN_COLOUR,
                        "colour");
}

/* The colour of the seat, the one that is asked for, or the first free one. */
static bool choose_colour(const struct decision *decision, uint8_t seat, const char **colour)
{
    int i = 0;
    if (decision->room->setup.game->colours_fixed)
        return take_colour_of(decision, seat, colour);
    if (request_has(decision->request, REQUEST_COLOUR)) {
        const char *word = decision->request->colour;
        i = setup_find_colour(&decision->room->setup, word, strlen(word));
        if (i < 0)
            return refuse_field(decision, PROTOCOL_UNKNOWN_COLOUR, "colour");
        if (!colour_is_free(decision, i))
            return refuse_field(decision, PROTOCOL_COLOUR_TAKEN, "colour");
    }
    while (!colour_is_free(decision, i))
        i++; /* there are as many colours as seats */
    *colour = colours_of(decision)[i];
    return true;
}

/* `level`: the word for a computer's; NULL: the actor sits down. */
static bool make_sat(const struct decision *decision, uint8_t seat, const char *colour,
                     const char *level)
{
    char own[PROTOCOL_NAME_BYTES + 1];
    const char *name = level ? seat_name_of_computer(decision->room) : own;
    seat_name_of_person(decision->room, decision->actor->name, own);
    const struct sat_sitter sitter = {colour, level, name, level ? NULL : decision->actor->account};
    size_t len = sat_write(decision->draft->text, &sitter);
    return make_event(decision, ROOM_SAT, seat, len);
}

/*
 * A player who has a seat already joins to see the room, or to take the seat back from the
 * computer.
 */
static bool join_again(const struct decision *decision)
{
    const struct seat *mine = &match_of(decision)->seats[decision->seat];
    if (request_has(decision->request, REQUEST_SEAT) && decision->request->seat != decision->seat)
        return refuse_field(decision, PROTOCOL_ALREADY_SEATED, "seat");
    if (mine->replaced && !mine->returning && match_of(decision)->phase != PROTOCOL_PHASE_OVER)
        return make_event(decision, ROOM_RETURNED, decision->seat, 0);
    return make_no_event(decision);
}

/* Who plays for a rating does not choose with whom. */
static bool need_own_seats(const struct decision *decision)
{
    return !decision->room->setup.rated[0] || refuse_field(decision, PROTOCOL_SEATS_GIVEN, NULL);
}

static bool decide_join(const struct decision *decision)
{
    uint8_t seat;
    const char *colour;
    if (decision->seat != ROOM_NO_SEAT)
        return join_again(decision);
    return need_lobby(decision) && need_own_seats(decision) && need_space(decision) &&
           choose_seat(decision, &seat) && choose_colour(decision, seat, &colour) &&
           make_sat(decision, seat, colour, NULL);
}

static bool decide_sit(const struct decision *decision)
{
    if (!need_lobby(decision) || !need_seat(decision) || !need_own_seats(decision) ||
        !need_space(decision))
        return false;
    const struct seat *mine = &match_of(decision)->seats[decision->seat];
    uint8_t seat = decision->seat;
    const char *colour = colours_of(decision)[mine->colour];
    if (request_has(decision->request, REQUEST_SEAT) && decision->request->seat != seat &&
        !choose_seat(decision, &seat))
        return false;
    bool fixed = decision->room->setup.game->colours_fixed;
    if ((fixed || request_has(decision->request, REQUEST_COLOUR)) &&
        !choose_colour(decision, seat, &colour))
        return false;
    if (seat == decision->seat && colour == colours_of(decision)[mine->colour])
        return make_no_event(decision);
    const struct protocol_account *account = decision->actor->account;
    const struct sat_sitter sitter = {colour, NULL, mine->name, account ? account : &mine->account};
    size_t len = sat_write(decision->draft->text, &sitter);
    return make_event(decision, ROOM_SAT, seat, len);
}

/* The level that is asked for, or the game's own choice. */
static bool choose_level(const struct decision *decision, const char **word)
{
    const struct game_type *game = decision->room->setup.game;
    unsigned level = game->computer->level_default;
    if (request_has(decision->request, REQUEST_LEVEL))
        level = decision->request->level;
    if (level > game_levels(game))
        return refuse_field(decision, PROTOCOL_UNKNOWN_LEVEL, "level");
    *word = game_level_word(game, level);
    return true;
}

static bool decide_bot(const struct decision *decision)
{
    uint8_t seat;
    const char *colour, *level;
    struct decision other = *decision;
    other.seat = ROOM_NO_SEAT; /* the computer has no colour yet; the host's is taken */
    return need_lobby(decision) && need_host(decision) && need_own_seats(decision) &&
           need_space(decision) && choose_seat(decision, &seat) &&
           choose_colour(&other, seat, &colour) && choose_level(decision, &level) &&
           make_sat(decision, seat, colour, level);
}

static bool decide_unseat(const struct decision *decision)
{
    uint8_t seat = decision->request->seat;
    if (!need_lobby(decision) || !need_host(decision) || !need_own_seats(decision))
        return false;
    if (seat >= decision->room->setup.seats)
        return refuse_field(decision, PROTOCOL_UNKNOWN_SEAT, "seat");
    if (!match_of(decision)->seats[seat].taken)
        return refuse_field(decision, PROTOCOL_SEAT_EMPTY, "seat");
    return make_event(decision, ROOM_STOOD, seat, 0);
}

static bool decide_ready(const struct decision *decision)
{
    char text[PROTOCOL_NONCE_BYTES + 2] = "-";
    if (!need_lobby(decision) || !need_seat(decision))
        return false;
    const struct seat *mine = &match_of(decision)->seats[decision->seat];
    if (decision->request->ready) {
        text[0] = '+';
        if (request_has(decision->request, REQUEST_NONCE))
            memcpy(text + 1, decision->request->nonce, strlen(decision->request->nonce));
    }
    if (mine->ready == decision->request->ready && strcmp(mine->nonce, text + 1) == 0)
        return make_no_event(decision);
    return need_budget(decision, BUDGET_READY) &&
           make_text(decision, ROOM_READIED, decision->seat, text);
}

static bool decide_start(const struct decision *decision)
{
    if (!need_lobby(decision))
        return false;
    if (!is_host(decision) && !need_seat(decision))
        return false;
    for (unsigned i = 0; i < decision->room->setup.seats; i++) {
        const struct seat *seat = &match_of(decision)->seats[i];
        if (!seat->taken || !seat->ready)
            return refuse_field(decision, PROTOCOL_NOT_READY, NULL);
    }
    return make_event(decision, ROOM_STARTED, decision->seat, 0);
}

static bool decide_leave(const struct decision *decision)
{
    if (decision->seat == ROOM_NO_SEAT || match_of(decision)->phase != PROTOCOL_PHASE_LOBBY)
        return make_no_event(decision);
    return make_event(decision, ROOM_STOOD, decision->seat, 0);
}

/* ---- the match */

static bool decide_move(const struct decision *decision)
{
    const struct request *request = decision->request;
    const struct game_type *game = decision->room->setup.game;
    const char *move = request->move;
    bool confirm = request_has(request, REQUEST_CONFIRM) && request->confirm;
    *decision->refusal = (struct refusal){.error = PROTOCOL_OK};
    if (strlen(move) > game->move_bytes)
        return refuse_field(decision, PROTOCOL_BAD_FIELD, "move");
    return need_turn(decision) && make_text(decision, ROOM_MOVE, decision->seat, move) &&
           room_try(decision->room, decision->event, confirm, decision->draft, decision->refusal);
}

/* Tried on the draft, where the moves are played again without the one that is taken back. */
static bool try_undo(const struct decision *decision)
{
    return make_event(decision, ROOM_UNDONE, decision->seat, 0) &&
           room_try(decision->room, decision->event, true, decision->draft, decision->refusal);
}

static bool decide_undo(const struct decision *decision)
{
    const struct game_type *game = decision->room->setup.game;
    if (!need_running(decision))
        return false;
    if (!game->rules->may_undo(match_game_of(match_of(decision)), decision->seat))
        return refuse_field(decision, PROTOCOL_NOTHING_TO_UNDO, NULL);
    return need_space(decision) &&
           (try_undo(decision) || refuse_field(decision, PROTOCOL_NOTHING_TO_UNDO, NULL));
}

static bool decide_resign(const struct decision *decision)
{
    return need_part(decision) && make_event(decision, ROOM_RESIGNED, decision->seat, 0);
}

/* Of people who are away for so long: one who has to act, or any other. With a clock it is the
 * clock that says what becomes of who is away. */
static uint8_t find_away(const struct decision *decision, int64_t since_ms)
{
    const struct room *room = decision->room;
    const bool clock = room->setup.clock.kind != PROTOCOL_CLOCK_NONE;
    const uint32_t people = match_people(&room->setup, room->match);
    const uint32_t away = clock ? 0 : people & ~room->present;
    const uint32_t acting = match_acting(&room->setup, room->match);
    uint8_t found = ROOM_NO_SEAT;
    for (unsigned i = 0; away >> i; i++) {
        const bool long_away = decision->now_ms - room->away_ms[i] >= since_ms;
        if (((away >> i) & 1) && long_away && (found == ROOM_NO_SEAT || ((acting >> i) & 1)))
            found = (uint8_t)i;
    }
    return found;
}

/*
 * The computer plays for who is away, until they are back. Nobody has to agree, as nothing is lost
 * by it.
 */
static bool decide_computer(const struct decision *decision)
{
    if (!need_running(decision))
        return false;
    const uint8_t seat = find_away(decision, ROOM_AWAY_MS);
    if (seat == ROOM_NO_SEAT)
        return refuse_field(decision, PROTOCOL_NOT_AWAY, NULL);
    return need_space(decision) && make_event(decision, ROOM_REPLACED, seat, 0);
}

/*
 * Whoever stays away for long enough is out as by a clock: so somebody who waits has the end. Who
 * has to act waits for nobody, and the others may have gone while they were waited for.
 */
static bool decide_claim(const struct decision *decision)
{
    if (!need_running(decision))
        return false;
    const uint32_t acting = match_acting(&decision->room->setup, match_of(decision));
    if ((acting >> decision->seat) & 1)
        return refuse_field(decision, PROTOCOL_NOT_AWAY, NULL);
    const uint8_t seat = find_away(decision, ROOM_CLAIM_END_MS);
    if (seat == ROOM_NO_SEAT)
        return refuse_field(decision, PROTOCOL_NOT_AWAY, NULL);
    return make_event(decision, ROOM_TIMED_OUT, seat, 0);
}

static bool decide_offer(const struct decision *decision)
{
    static const enum room_event_kind done[PROTOCOL_OFFER_COUNT] = {
        [PROTOCOL_OFFER_PAUSE] = ROOM_PAUSED,
        [PROTOCOL_OFFER_RESUME] = ROOM_RESUMED,
        [PROTOCOL_OFFER_CALL_OFF] = ROOM_CALLED_OFF,
    };
    enum protocol_offer what = decision->request->what;
    if (what == PROTOCOL_OFFER_COMPUTER)
        return decide_computer(decision);
    if (what == PROTOCOL_OFFER_CLAIM)
        return decide_claim(decision);
    if (!need_part(decision))
        return false;
    const struct match *match = match_of(decision);
    bool paused = match->phase == PROTOCOL_PHASE_PAUSED;
    if (what == PROTOCOL_OFFER_PAUSE && paused)
        return refuse_field(decision, PROTOCOL_IS_PAUSED, NULL);
    if (what == PROTOCOL_OFFER_RESUME && !paused)
        return refuse_field(decision, PROTOCOL_NOT_PAUSED, NULL);
    if ((match->offers[what] >> decision->seat) & 1)
        return refuse_field(decision, PROTOCOL_ALREADY_OFFERED, NULL);
    if (!need_budget(decision, what == PROTOCOL_OFFER_PAUSE ? BUDGET_CHANGE : BUDGET_TO_END))
        return false;
    if (!room_agreed(decision->room, what, UINT32_C(1) << decision->seat))
        return make_text(decision, ROOM_OFFERED, decision->seat, protocol_offer_name(what));
    const char *text =
        what == PROTOCOL_OFFER_CALL_OFF ? MATCH_CALLED_OFF_TEXT : protocol_offer_name(what);
    return make_text(decision, done[what], decision->seat, text);
}

static bool decide_withdraw(const struct decision *decision)
{
    enum protocol_offer what = decision->request->what;
    if (!need_part(decision))
        return false;
    if (!((match_of(decision)->offers[what] >> decision->seat) & 1))
        return refuse_field(decision, PROTOCOL_NOT_OFFERED, NULL);
    return make_text(decision, ROOM_WITHDREW, decision->seat, protocol_offer_name(what));
}

/* A hint for this position was given before, and the same is given again. */
static bool has_hint(const struct decision *decision)
{
    const struct log *log = &decision->room->log;
    for (uint64_t i = room_position(decision->room); i < log->count; i++) {
        if (log->entries[i].kind == ROOM_HINTED && log->entries[i].seat == decision->seat)
            return true;
    }
    return false;
}

static bool decide_hint(const struct decision *decision)
{
    if (!decision->room->setup.hints)
        return refuse_field(decision, PROTOCOL_NO_HINTS, NULL);
    if (!need_turn(decision))
        return false;
    if (has_hint(decision))
        return make_no_event(decision);
    return need_space(decision) && make_event(decision, ROOM_HINTED, decision->seat, 0);
}

static bool decide_rematch(const struct decision *decision)
{
    if (match_of(decision)->phase != PROTOCOL_PHASE_OVER)
        return refuse_field(decision, PROTOCOL_NOT_OVER, NULL);
    if (!is_host(decision) && !need_seat(decision))
        return false;
    if (match_of(decision)->rematch[0])
        return make_no_event(decision);
    return make_event(decision, ROOM_REMATCHED, decision->seat, 0);
}

/* ---- all together */

static bool (*const deciders[REQUEST_OPS])(const struct decision *decision) = {
    [REQUEST_BOT] = decide_bot,       [REQUEST_HINT] = decide_hint,
    [REQUEST_JOIN] = decide_join,     [REQUEST_LEAVE] = decide_leave,
    [REQUEST_MOVE] = decide_move,     [REQUEST_OFFER] = decide_offer,
    [REQUEST_READY] = decide_ready,   [REQUEST_REMATCH] = decide_rematch,
    [REQUEST_RESIGN] = decide_resign, [REQUEST_SIT] = decide_sit,
    [REQUEST_START] = decide_start,   [REQUEST_UNDO] = decide_undo,
    [REQUEST_UNSEAT] = decide_unseat, [REQUEST_WITHDRAW] = decide_withdraw,
};

enum room_decision room_decide(const struct room *room, const struct room_actor *actor,
                               const struct request *request, int64_t now_ms,
                               struct room_event *event, struct room_draft *draft,
                               struct refusal *refusal, uint64_t *repeat_seq)
{
    const struct decision decision = {
        .room = room,
        .actor = actor,
        .request = request,
        .now_ms = now_ms,
        .seat = room_seat_of(room, actor->session),
        .event = event,
        .draft = draft,
        .refusal = refusal,
    };
    assert(actor->session != 0 && request->op < REQUEST_OPS && deciders[request->op]);
    uint64_t earlier = log_find(&room->log, actor->session, request->id);
    if (earlier == 0)
        return deciders[request->op](&decision) ? ROOM_ACCEPTED : ROOM_REFUSED;
    if (room->log.entries[earlier - 1].origin.digest != request_digest(request)) {
        refuse_field(&decision, PROTOCOL_ID_REUSED, "id");
        return ROOM_REFUSED;
    }
    *repeat_seq = earlier;
    return ROOM_REPEATED;
}

bool room_check(const struct room *room, const struct room_actor *actor,
                const struct request *request, int64_t now_ms, struct refusal *refusal)
{
    struct room_event event;
    struct room_draft draft;
    const struct decision decision = {
        .room = room,
        .actor = actor,
        .request = request,
        .now_ms = now_ms,
        .seat = room_seat_of(room, actor->session),
        .event = &event,
        .draft = &draft,
        .refusal = refusal,
    };
    return decide_move(&decision);
}

bool room_write_moves(const struct room *room, const struct room_actor *actor,
                      struct writer *writer, struct refusal *refusal)
{
    const struct decision decision = {
        .room = room,
        .actor = actor,
        .now_ms = room->match->at_ms,
        .seat = room_seat_of(room, actor->session),
        .refusal = refusal,
    };
    if (!need_turn(&decision))
        return false;
    writer_key_int(writer, "seq", (int64_t)room->match->seq);
    room->setup.game->views->moves(match_game_of(room->match), decision.seat, writer);
    return true;
}
