#include "view.h"

#include <assert.h>
#include <protocol/encoding.h>
#include <protocol/reply.h>
#include <room/event.h>
#include <string.h>

unsigned view_viewer(const struct setup *setup, unsigned audience)
{
    if (setup->game->hidden && audience == setup->seats + 1)
        return ROOM_SERVER;
    return setup->game->hidden && audience < setup->seats ? audience : ROOM_NO_SEAT;
}

/* ---- the parts of the state: `before` NULL writes them whole */

struct view {
    const struct setup *setup;
    const struct match *before; /* or NULL */
    const struct match *after;
    unsigned viewer;
};

static void write_constants(const struct view *view, struct patch *patch)
{
    if (view->before)
        return;
    const struct setup *setup = view->setup;
    patch_string(patch, "game", NULL, setup->game->name);
    patch_string(patch, "access", NULL, protocol_access_name(setup->access));
    patch_string(patch, "title", NULL, setup->title[0] ? setup->title : NULL);
    patch_flag(patch, "hints", false, setup->hints);
    patch_string(patch, "rated", NULL, setup->rated[0] ? setup->rated : NULL);
    setup->game->rules->write_options(match_game_of(view->after), patch_value(patch, "options"));
}

static const char *phase_name(const struct match *match)
{
    return match ? protocol_phase_name(match->phase) : NULL;
}

/* 0 is written as nothing: people have no level, and most take no hints. */
static void write_positive(struct patch *patch, const char *key, unsigned before, unsigned after)
{
    if (after > 0) {
        int64_t was = before;
        patch_int(patch, key, before > 0 ? &was : NULL, after);
    } else if (before > 0) {
        patch_gone(patch, key);
    }
}

/* "" is written as nothing. */
static void write_handle(const char *before, const char *after, struct patch *patch)
{
    if (after[0])
        patch_string(patch, "handle", before[0] ? before : NULL, after);
    else if (before[0])
        patch_gone(patch, "handle");
}

static void write_seat(const struct seat *before, const struct seat *after,
                       const char *const colours[], struct patch *patch)
{
    static const struct seat none;
    const struct seat *was = before ? before : &none;
    const bool *was_ready = before ? &before->ready : NULL;
    patch_string(patch, "name", before ? before->name : NULL, after->name);
    write_handle(was->account.handle, after->account.handle, patch);
    patch_string(patch, "colour", before ? colours[before->colour] : NULL, colours[after->colour]);
    patch_bool(patch, "ready", was_ready, after->ready);
    patch_flag(patch, "bot", was->bot, after->bot);
    write_positive(patch, "level", was->level, after->level);
    patch_flag(patch, "replaced", was->replaced, after->replaced);
    write_positive(patch, "hints", was->hints, after->hints);
}

/* All that write_seat writes, which most events leave alone. */
static bool looks_same(const struct seat *a, const struct seat *b)
{
    return a->taken == b->taken && a->colour == b->colour && a->ready == b->ready &&
           a->bot == b->bot && a->level == b->level && a->replaced == b->replaced &&
           a->hints == b->hints && strcmp(a->name, b->name) == 0 &&
           strcmp(a->account.handle, b->account.handle) == 0;
}

static void write_seats(const struct view *view, struct patch *patch)
{
    patch_begin(patch, "seats");
    if (!view->before)
        patch_force(patch);
    for (unsigned i = 0; i < view->setup->seats; i++) {
        const struct seat *before = view->before ? &view->before->seats[i] : NULL;
        const struct seat *after = &view->after->seats[i];
        bool was = before && before->taken;
        if (before && looks_same(before, after))
            continue;
        if (after->taken) {
            patch_begin(patch, patch_number(i));
            write_seat(was ? before : NULL, after, view->setup->game->colours, patch);
            patch_end(patch);
        } else if (was) {
            patch_gone(patch, patch_number(i));
        }
    }
    patch_end(patch);
}

static bool has_nonces(const struct view *view, const struct match *match)
{
    for (unsigned i = 0; match && i < view->setup->seats; i++) {
        if (match->seats[i].nonce[0])
            return true;
    }
    return false;
}

static const char *nonce_or_null(const struct match *match, unsigned seat)
{
    return match && match->seats[seat].nonce[0] ? match->seats[seat].nonce : NULL;
}

static void write_nonces(const struct view *view, struct patch *patch)
{
    if (!has_nonces(view, view->after)) {
        if (has_nonces(view, view->before))
            patch_gone(patch, "nonces");
        return;
    }
    patch_begin(patch, "nonces");
    for (unsigned i = 0; i < view->setup->seats; i++)
        patch_string(patch, patch_number(i), nonce_or_null(view->before, i),
                     nonce_or_null(view->after, i));
    patch_end(patch);
}

static bool is_over(const struct match *match)
{
    return match && match->phase == PROTOCOL_PHASE_OVER;
}

static void write_fair(const struct view *view, struct patch *patch)
{
    const struct setup *setup = view->setup;
    patch_begin(patch, "fair");
    if (!view->before)
        patch_string(patch, "commitment", NULL, setup->commitment);
    write_nonces(view, patch);
    if (is_over(view->after) && !is_over(view->before)) {
        char secret[2 * DEAL_SECRET_BYTES + 1];
        hex_encode(secret, setup->seed.secret, DEAL_SECRET_BYTES);
        patch_string(patch, "secret", NULL, secret);
    }
    patch_end(patch);
}

static void write_seat_clock(const struct setup *setup, const struct seat_clock *before,
                             const struct seat_clock *after, struct patch *patch)
{
    const int64_t *left = before ? &before->left_ms : NULL;
    patch_int(patch, "left_ms", left, after->left_ms);
    if (setup->clock.kind != PROTOCOL_CLOCK_BYOYOMI)
        return;
    int64_t periods = before ? before->periods : 0;
    patch_int(patch, "periods", before ? &periods : NULL, after->periods);
}

static void write_clock(const struct view *view, struct patch *patch)
{
    const struct setup *setup = view->setup;
    patch_begin(patch, "clock");
    if (!view->before) {
        patch_force(patch);
        setup_write_clock(setup, patch->out);
    }
    if (setup->clock.kind != PROTOCOL_CLOCK_NONE && view->after->dealt) {
        const struct match *before = view->before && view->before->dealt ? view->before : NULL;
        patch_begin(patch, "seats");
        for (unsigned i = 0; i < setup->seats; i++) {
            patch_begin(patch, patch_number(i));
            write_seat_clock(setup, before ? &before->seats[i].clock : NULL,
                             &view->after->seats[i].clock, patch);
            patch_end(patch);
        }
        patch_end(patch);
    }
    patch_end(patch);
}

static bool has_offers(const struct match *match)
{
    uint32_t any = 0;
    for (unsigned i = 0; match && i < PROTOCOL_OFFER_COUNT; i++)
        any |= match->offers[i];
    return any != 0;
}

static void write_offers(const struct view *view, struct patch *patch)
{
    if (!has_offers(view->after)) {
        if (has_offers(view->before))
            patch_gone(patch, "offers");
        return;
    }
    patch_begin(patch, "offers");
    for (unsigned i = 0; i < PROTOCOL_OFFER_COUNT; i++)
        patch_set(patch, protocol_offer_name((enum protocol_offer)i),
                  view->before ? view->before->offers[i] : 0, view->after->offers[i]);
    patch_end(patch);
}

/* Absent: INT64_MAX. */
static void write_resumes(const struct view *view, struct patch *patch)
{
    const int64_t before = view->before ? match_resumes_ms(view->setup, view->before) : INT64_MAX;
    const int64_t after = match_resumes_ms(view->setup, view->after);
    if (after != INT64_MAX)
        patch_int(patch, "resumes", before != INT64_MAX ? &before : NULL, after);
    else if (before != INT64_MAX)
        patch_gone(patch, "resumes");
}

static void write_table(const struct view *view, struct patch *patch)
{
    if (!view->after->dealt)
        return;
    const struct match *before = view->before && view->before->dealt ? view->before : NULL;
    patch_begin(patch, "table");
    view->setup->game->views->table(before ? match_game_of(before) : NULL,
                                    match_game_of(view->after), view->viewer, patch);
    patch_end(patch);
}

static void write_outcome(const struct view *view, struct writer *writer)
{
    const struct game_outcome outcome = match_outcome(view->setup, view->after);
    const struct game_views *views = view->setup->game->views;
    writer_key_object(writer, "winners");
    for (unsigned i = 0; outcome.winners >> i; i++) {
        if ((outcome.winners >> i) & 1)
            writer_key_bool(writer, patch_number(i), true);
    }
    writer_end(writer);
    if (outcome.teams == 0) {
        writer_key_object(writer, "ranks");
        for (unsigned i = 0; i < view->setup->seats; i++)
            writer_key_int(writer, patch_number(i), outcome.ranks[i]);
        writer_end(writer);
    }
    if (views->result)
        views->result(match_game_of(view->after), writer);
}

static void write_result_value(const struct view *view, struct writer *writer)
{
    const char *unrated = match_unrated(view->setup, view->after);
    writer_object(writer);
    writer_key_string(writer, "why", match_why(view->setup, view->after));
    if (unrated)
        writer_key_string(writer, "unrated", unrated);
    if (view->after->ending == MATCH_BY_GAME)
        write_outcome(view, writer);
    writer_end(writer);
}

static void write_result(const struct view *view, struct patch *patch)
{
    if (is_over(view->after) && !is_over(view->before))
        write_result_value(view, patch_value(patch, "result"));
}

static const char *rematch_or_null(const struct match *match)
{
    return match && match->rematch[0] ? match->rematch : NULL;
}

static void write_view(const struct view *view, struct writer *writer)
{
    const struct match *before = view->before;
    struct patch patch;
    patch_init(&patch, writer);
    write_constants(view, &patch);
    patch_string(&patch, "phase", before ? phase_name(before) : NULL, phase_name(view->after));
    write_seats(view, &patch);
    write_fair(view, &patch);
    write_clock(view, &patch);
    patch_list(&patch, "acting", before ? match_acting(view->setup, before) : 0,
               match_acting(view->setup, view->after));
    write_offers(view, &patch);
    write_resumes(view, &patch);
    write_table(view, &patch);
    write_result(view, &patch);
    patch_string(&patch, "rematch", rematch_or_null(before), rematch_or_null(view->after));
}

void view_write_state(const struct setup *setup, const struct match *match, unsigned viewer,
                      struct writer *writer)
{
    struct view view = {.setup = setup, .after = match, .viewer = viewer};
    writer_object(writer);
    write_view(&view, writer);
    writer_end(writer);
}

static void write_summary_seat(const struct seat *seat, unsigned number, const char *colour,
                               struct writer *writer)
{
    writer_key_object(writer, patch_number(number));
    writer_key_string(writer, "name", seat->name);
    if (seat->account.handle[0])
        writer_key_string(writer, "handle", seat->account.handle);
    writer_key_string(writer, "colour", colour);
    if (seat->bot)
        writer_key_bool(writer, "bot", true);
    writer_end(writer);
}

/* What only those who sit there are told: whose turn it is, and the clocks. */
static void write_own_members(const struct view *view, uint8_t seat, struct writer *writer)
{
    struct patch patch;
    patch_init(&patch, writer);
    write_clock(view, &patch);
    patch_list(&patch, "acting", 0, match_acting(view->setup, view->after));
    writer_key_int(writer, "seat", seat);
}

static void write_names(const struct setup *setup, struct writer *writer)
{
    writer_key_string(writer, "room", setup->seed.id);
    writer_key_string(writer, "game", setup->game->name);
    if (setup->title[0])
        writer_key_string(writer, "title", setup->title);
}

static void write_places(const struct setup *setup, const struct match *match,
                         struct writer *writer)
{
    writer_key_int(writer, "size", setup->seats);
    writer_key_object(writer, "seats");
    for (unsigned i = 0; i < setup->seats; i++) {
        if (match->seats[i].taken)
            write_summary_seat(&match->seats[i], i, setup->game->colours[match->seats[i].colour],
                               writer);
    }
    writer_end(writer);
    writer_key(writer, "options");
    setup->game->rules->write_options(match_game_of(match), writer);
}

void view_write_ended(const struct setup *setup, const struct match *match, struct writer *writer)
{
    const struct view view = {.setup = setup, .after = match, .viewer = ROOM_NO_SEAT};
    writer_object(writer);
    write_names(setup, writer);
    write_places(setup, match, writer);
    writer_key(writer, "result");
    write_result_value(&view, writer);
    writer_key_int(writer, "at", match->at_ms);
    writer_end(writer);
}

void view_write_summary(const struct setup *setup, const struct match *match, uint8_t own_seat,
                        int64_t away_ms, struct writer *writer)
{
    writer_object(writer);
    write_names(setup, writer);
    writer_key_string(writer, "phase", protocol_phase_name(match->phase));
    write_places(setup, match, writer);
    if (own_seat != ROOM_NO_SEAT) {
        struct view view = {.setup = setup, .after = match, .viewer = own_seat};
        write_own_members(&view, own_seat, writer);
    } else {
        writer_key_object(writer, "clock");
        setup_write_clock(setup, writer);
        writer_end(writer);
        if (away_ms >= 0)
            writer_key_int(writer, "away", away_ms);
    }
    if (setup->hints)
        writer_key_bool(writer, "hints", true);
    if (setup->rated[0])
        writer_key_string(writer, "rated", setup->rated);
    writer_key_int(writer, "at", match->at_ms);
    writer_end(writer);
}

/* ---- events */

static void write_event_members(const struct view *view, const struct room_event *event,
                                struct writer *writer)
{
    switch (event->kind) {
    case ROOM_SAT:
        writer_key_string(writer, "name", view->after->seats[event->seat].name);
        break;
    case ROOM_STOOD:
        writer_key_string(writer, "name", view->before->seats[event->seat].name);
        break;
    case ROOM_READIED:
        writer_key_bool(writer, "ready", event->text[0] == '+');
        break;
    case ROOM_MOVE:
        view->setup->game->views->move(match_game_of(view->before), match_game_of(view->after),
                                       event->seat, event->text, event->text_len, view->viewer,
                                       writer);
        break;
    case ROOM_RESIGNED:
    case ROOM_TIMED_OUT:
        if (view->setup->game->views->forfeit)
            view->setup->game->views->forfeit(match_game_of(view->before),
                                              match_game_of(view->after), event->seat, view->viewer,
                                              writer);
        break;
    case ROOM_OFFERED:
    case ROOM_WITHDREW:
        writer_key(writer, "what");
        writer_string_n(writer, event->text, event->text_len);
        break;
    case ROOM_REMATCHED:
        writer_key(writer, "to");
        writer_string_n(writer, event->text, event->text_len);
        break;
    case ROOM_CREATED:
    case ROOM_STARTED:
    case ROOM_UNDONE:
    case ROOM_REPLACED:
    case ROOM_RETURNED:
    case ROOM_PAUSED:
    case ROOM_RESUMED:
    case ROOM_CALLED_OFF:
    case ROOM_HINTED:
        break;
    }
}

static void write_event(const struct view *view, const struct room_event *event,
                        struct writer *writer)
{
    writer_object(writer);
    writer_key_string(writer, "kind", room_event_name(event->kind));
    if (event->seat != ROOM_NO_SEAT)
        writer_key_int(writer, "seat", event->seat);
    write_event_members(view, event, writer);
    if (is_over(view->after) && !is_over(view->before))
        writer_key_string(writer, "over", match_why(view->setup, view->after));
    writer_end(writer);
}

void view_write_push(const struct setup *setup, const struct match *before,
                     const struct match *after, const struct room_event *event, unsigned viewer,
                     struct buffer *out)
{
    struct view view = {.setup = setup, .before = before, .after = after, .viewer = viewer};
    struct writer writer;
    writer_init(&writer, out);
    push_event_begin(&writer, setup->seed.id, (int64_t)event->seq, event->at_ms);
    writer_key(&writer, "event");
    write_event(&view, event, &writer);
    writer_key_object(&writer, "patch");
    write_view(&view, &writer);
    writer_end(&writer);
    push_end(&writer);
    assert(writer_done(&writer));
}
