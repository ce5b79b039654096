/*
 * Writes the text record of a match by replaying its log, turn by turn.
 */
#include <protocol/record.h>

#include "room_internal.h"
#include <assert.h>
#include <inttypes.h>
#include <protocol/encoding.h>
#include <protocol/signature.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the lines */

/* A turn that a seat has begun: its words so far, and the time it took. */
struct begun {
    char words[RECORD_TEXT_BYTES + 1];
    size_t len;
    int64_t spent_ms;
};

/* Everything that the record points to. */
struct work {
    const struct setup *setup;
    const struct log *log;
    uint64_t seq; /* the record is as of this event */
    struct match_space spaces[3];
    struct begun begun[PROTOCOL_SEATS];
    uint32_t turns;
    int64_t start_ms, end_ms;
    struct record_seat seats[PROTOCOL_SEATS];
    char secret[2 * DEAL_SECRET_BYTES + 1];
    struct game_pairs options, deal, result;

    /* Large enough for the whole log: see work_create. */
    struct record_line *lines;
    size_t line_count;
    char *text;
    size_t text_len;
};

static void add_line(struct work *work, uint32_t number, uint8_t seat, const char *text, size_t len,
                     int64_t spent_ms)
{
    char *copy = work->text + work->text_len;
    memcpy(copy, text, len);
    copy[len] = '\0';
    work->text_len += len + 1;
    work->lines[work->line_count++] =
        (struct record_line){.number = number, .seat = seat, .text = copy, .spent_ms = spent_ms};
}

/* Writes the seat's turn, whole or as far as it was played. */
static void end_turn(struct work *work, unsigned seat, bool whole)
{
    struct begun *begun = &work->begun[seat];
    if (begun->len > 0)
        add_line(work, ++work->turns, (uint8_t)seat, begun->words, begun->len,
                 whole ? begun->spent_ms : RECORD_NO_TIME);
    *begun = (struct begun){.len = 0};
}

static void end_turns(struct work *work)
{
    for (unsigned i = 0; i < work->setup->seats; i++)
        end_turn(work, i, false);
}

static void add_words(struct begun *begun, const char *words, size_t len)
{
    if (len == 0)
        return;
    size_t space = begun->len > 0;
    assert(begun->len + space + len < sizeof begun->words);
    if (space)
        begun->words[begun->len] = ' ';
    memcpy(begun->words + begun->len + space, words, len);
    begun->len += space + len;
}

static void add_move(struct work *work, const struct match *before, const struct match *after,
                     const struct room_event *event)
{
    char words[RECORD_TEXT_BYTES];
    size_t len = work->setup->game->record->words(match_game_of(before), match_game_of(after),
                                                  event->seat, event->text, event->text_len, words);
    add_words(&work->begun[event->seat], words, len);
}

/* The seat gives up: its turn gets words if it has none and needs some. */
static void cut_short(struct work *work, const struct match *before, unsigned seat)
{
    const struct game_record *record = work->setup->game->record;
    struct begun *begun = &work->begun[seat];
    char words[RECORD_TEXT_BYTES];
    if (begun->len == 0 && record->cut_short)
        add_words(begun, words, record->cut_short(match_game_of(before), seat, words));
}

static void spend_budget(struct work *work, const struct match *before,
                         const struct room_event *event)
{
    uint32_t acting = match_acting(work->setup, before);
    for (unsigned i = 0; acting >> i; i++) {
        if ((acting >> i) & 1)
            work->begun[i].spent_ms += event->at_ms - before->at_ms - event->held_ms;
    }
}

static void add_aside(struct work *work, const struct room_event *event, bool about_a_seat,
                      const char *word)
{
    add_line(work, 0, about_a_seat ? event->seat : RECORD_NO_SEAT, word, strlen(word),
             RECORD_NO_TIME);
}

static void add_event(struct work *work, const struct match *before, const struct match *after,
                      const struct room_event *event)
{
    switch (event->kind) {
    case ROOM_STARTED:
        work->start_ms = event->at_ms;
        break;
    case ROOM_MOVE:
        if (log_undone(work->log, event->seq, work->seq))
            break;
        add_move(work, before, after, event);
        if (work->setup->game->record->turn_each_move || (after->turned >> event->seat) & 1)
            end_turn(work, event->seat, true);
        break;
    case ROOM_RESIGNED:
    case ROOM_TIMED_OUT:
        cut_short(work, before, event->seat);
        if (after->phase == PROTOCOL_PHASE_OVER)
            end_turns(work); /* turns that others had begun come first */
        else
            end_turn(work, event->seat, false);
        add_aside(work, event, true, room_event_name(event->kind));
        break;
    case ROOM_REPLACED:
    case ROOM_RETURNED:
    case ROOM_HINTED:
        add_aside(work, event, true, room_event_name(event->kind));
        break;
    case ROOM_PAUSED:
        add_aside(work, event, false, room_event_name(event->kind));
        break;
    case ROOM_RESUMED:
        add_aside(work, event, false, room_event_name(event->kind));
        break;
    case ROOM_CALLED_OFF:
        end_turns(work);
        add_aside(work, event, false, "called_off");
        break;
    case ROOM_CREATED:
    case ROOM_SAT:
    case ROOM_STOOD:
    case ROOM_READIED:
    case ROOM_UNDONE:
    case ROOM_OFFERED:
    case ROOM_WITHDREW:
    case ROOM_REMATCHED:
        break;
    }
}

/* Plays the log again; the result is the state as of work->seq. */
static const struct match *add_lines(struct work *work, const struct match *live)
{
    struct match *before = match_in(&work->spaces[0]), *after = match_in(&work->spaces[1]);
    struct checkpoint checkpoint = {match_in(&work->spaces[2]), false};
    match_begin(work->setup, before, live);
    for (uint64_t seq = 1; seq <= work->seq; seq++) {
        struct room_event event;
        log_get(work->log, seq, &event);
        match_copy(work->setup, after, before);
        bool applied = match_apply(work->setup, work->log, &checkpoint, after, &event);
        assert(applied);
        checkpoint_follow(&checkpoint, work->setup, work->log, after);
        spend_budget(work, before, &event);
        add_event(work, before, after, &event);
        if (after->phase == PROTOCOL_PHASE_OVER && before->phase != PROTOCOL_PHASE_OVER)
            work->end_ms = event.at_ms;
        match_copy(work->setup, before, after);
    }
    end_turns(work);
    return before;
}

/* ---- the record */

static void fill_seats(struct work *work, const struct match *match)
{
    for (unsigned i = 0; i < work->setup->seats; i++) {
        const struct seat *seat = &match->seats[i];
        if (seat->taken)
            work->seats[i] = (struct record_seat){
                .name = seat->name,
                .colour = work->setup->game->colours[seat->colour],
                .nonce = seat->nonce,
                .bot = seat->bot,
                .level = match_level_word(work->setup, seat),
            };
    }
}

/* Seats or teams of a set with a comma between: "0,2". A blank before it if it is not the first. */
static void add_set(char *text, size_t size, uint32_t set)
{
    size_t len = strlen(text);
    const char *before = len > 0 ? " " : "";
    for (unsigned i = 0; set >> i; i++) {
        if (!((set >> i) & 1))
            continue;
        int n = snprintf(text + len, size - len, "%s%u", before, i);
        assert(n > 0 && (size_t)n < size - len);
        len += (size_t)n;
        before = ",";
    }
}

static uint32_t seats_ranked(const struct game_outcome *outcome, unsigned seats, unsigned rank)
{
    uint32_t set = 0;
    for (unsigned i = 0; i < seats; i++) {
        if (outcome->ranks[i] == rank)
            set |= UINT32_C(1) << i;
    }
    return set;
}

/* Winners "0 2"; ranks "1 0,2": groups of equals, best first. */
static void fill_outcome(struct work *work, const struct match *match)
{
    const struct game_outcome outcome = match_outcome(work->setup, match);
    const struct game_record *record = work->setup->game->record;
    char winners[4 * PROTOCOL_SEATS] = "", ranks[4 * PROTOCOL_SEATS] = "";
    for (unsigned i = 0; outcome.winners >> i; i++)
        add_set(winners, sizeof winners, outcome.winners & UINT32_C(1) << i);
    game_pairs_add(&work->result, "winners", winners);
    for (unsigned rank = 1; outcome.teams == 0 && rank <= work->setup->seats; rank++)
        add_set(ranks, sizeof ranks, seats_ranked(&outcome, work->setup->seats, rank));
    if (ranks[0])
        game_pairs_add(&work->result, "ranks", ranks);
    if (record->result)
        record->result(match_game_of(match), &work->result);
}

/* Of a match that was to be rated: by which class, or why it is not; and whose the seats were. */
static void fill_rated(struct work *work, const struct match *match)
{
    enum { ACCOUNT_DIGITS = 16 };
    char rated[RECORD_TEXT_BYTES], accounts[PROTOCOL_SEATS * (ACCOUNT_DIGITS + 1)];
    const struct setup *setup = work->setup;
    const char *why = match_unrated(setup, match);
    size_t len = 0;
    (void)snprintf(rated, sizeof rated, "%s%s", why ? "no: " : "", why ? why : setup->rated);
    for (unsigned i = 0; i < setup->seats; i++)
        len += (size_t)snprintf(accounts + len, sizeof accounts - len, "%s%016" PRIx64,
                                i ? " " : "", match->seats[i].session);
    game_pairs_add(&work->result, "rated", rated);
    game_pairs_add(&work->result, "accounts", accounts);
}

/* What stays secret as long as the match goes on. */
static void fill_revealed(struct work *work, const struct match *match)
{
    const struct game_type *game = work->setup->game;
    hex_encode(work->secret, work->setup->seed.secret, DEAL_SECRET_BYTES);
    game->record->deal(match_game_of(match), &work->deal);
    game_pairs_add(&work->result, "why", match_why(work->setup, match));
    if (match->ending == MATCH_BY_GAME)
        fill_outcome(work, match);
    if (work->setup->rated[0])
        fill_rated(work, match);
}

/* The last of the server's results. False: out of memory. */
static bool sign_record(struct work *work, struct record *record,
                        const struct record_signer *signer)
{
    char value[RECORD_SIGNATURE_BYTES + 1];
    if (!record_sign(record, signer, value))
        return false;
    game_pairs_add(&work->result, RECORD_SIGNATURE_NAME, value);
    record->result_count = work->result.count;
    return true;
}

static bool write_work(struct work *work, const struct match *live, const char *server,
                       const struct record_signer *signer, struct buffer *out)
{
    const struct setup *setup = work->setup;
    const struct match *match = add_lines(work, live);
    bool over = match->phase == PROTOCOL_PHASE_OVER;
    fill_seats(work, match);
    setup->game->record->options(match_game_of(match), &work->options);
    if (over)
        fill_revealed(work, match);
    else if (setup->game->hidden)
        work->line_count = 0; /* everybody may read a record, but not these moves */
    struct record record = {
        .room = setup->seed.id,
        .game = setup->game->name,
        .rules = setup->rules_version,
        .server = server,
        .title = setup->title[0] ? setup->title : NULL,
        .start_ms = work->start_ms,
        .end_ms = work->end_ms,
        .clock = setup->clock,
        .commitment = setup->commitment,
        .secret = over ? work->secret : NULL,
        .options = work->options.pairs,
        .option_count = work->options.count,
        .seats = work->seats,
        .seat_count = setup->seats,
        .deal = work->deal.pairs,
        .deal_count = work->deal.count,
        .result = work->result.pairs,
        .result_count = work->result.count,
        .lines = work->lines,
        .line_count = work->line_count,
    };
    if (over && signer && !sign_record(work, &record, signer)) {
        out->failed = true;
        return false;
    }
    return record_write(out, &record);
}

static void work_destroy(struct work *work)
{
    if (!work)
        return;
    free(work->lines);
    free(work->text);
    free(work);
}

/* An event makes a turn's line and an aside at most; its words are its text and a few more. */
static struct work *work_create(const struct room *room, uint64_t seq)
{
    enum { EVENT_LINES = 2, EVENT_BYTES = 32 };
    struct work *work = calloc(1, sizeof *work);
    if (!work)
        return NULL;
    size_t count = room->log.count + PROTOCOL_SEATS;
    work->setup = &room->setup;
    work->log = &room->log;
    work->seq = seq;
    work->start_ms = work->end_ms = RECORD_NO_TIME;
    work->lines = calloc(count * EVENT_LINES, sizeof *work->lines);
    work->text = malloc(room->log.text_len + count * EVENT_BYTES);
    if (!work->lines || !work->text) {
        work_destroy(work);
        return NULL;
    }
    return work;
}

int room_write_record(const struct room *room, uint64_t seq, const char *server,
                      const struct record_signer *signer, struct buffer *out)
{
    assert(seq >= 1 && seq <= room->match->seq);
    struct work *work = work_create(room, seq);
    if (!work)
        return -1;
    bool written = write_work(work, room->match, server, signer, out);
    work_destroy(work);
    assert(written || out->failed);
    return written ? 0 : -1;
}
