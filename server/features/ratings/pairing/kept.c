#include "kept.h"

#include "rows/state.h"
#include "waiting/conduct.h"
#include "waiting/told.h"
#include "waiting/waiting.h"
#include <hub/kernel.h>
#include <protocol/json_writer.h>
#include <rating/class.h>

/* ---- at home */

static const char *outcome_word(char outcome)
{
    switch ((enum conduct_outcome)outcome) {
    case CONDUCT_GOOD:
        return "good";
    case CONDUCT_LAPSED:
        return "not_ready";
    case CONDUCT_ABORTED:
        return "aborted";
    case CONDUCT_LEFT:
        return "left";
    case CONDUCT_TIMED_OUT:
        return "timed_out";
    case CONDUCT_GAVE_UP:
        return "gave_up";
    case CONDUCT_ASKED_OFF:
        return "asked_off";
    }
    return "unknown"; /* of a later version */
}

static void write_conduct(const struct conduct_row *row, struct writer *writer)
{
    writer_key_object(writer, "conduct");
    writer_key_array(writer, "outcomes");
    for (const char *outcome = row->outcomes; *outcome; outcome++)
        writer_string(writer, outcome_word(*outcome));
    writer_end(writer);
    if (row->paused_ms) {
        writer_key_int(writer, "paused", row->paused_ms);
        writer_key_int(writer, "paused_until", row->paused_ms + row->pause_ms);
    }
    writer_end(writer);
}

/* ---- at the desk */

/* What is not durable yet nobody is told of. */
static void write_standing(const struct desk *desk, const struct standing *standing,
                           struct writer *writer)
{
    if (!standing || standing->n > desk->durable_n)
        return;
    writer_object(writer);
    writer_key_string(writer, "class", rating_class_at(standing->class)->name);
    writer_key_int(writer, "rating", told_points(standing->rating.strength));
    writer_key_int(writer, "deviation", told_points(standing->rating.deviation));
    writer_key_int(writer, "matches", standing->matches);
    writer_key_int(writer, "last", standing->last_ms);
    writer_key_int(writer, "n", (int64_t)standing->n);
    writer_end(writer);
}

static void write_ratings(const struct desk *desk, uint64_t session, struct writer *writer)
{
    writer_key_array(writer, "ratings");
    for (unsigned class = 1; rating_class_at(class); class ++)
        write_standing(desk, ledger_find(&desk->ledger, session, class), writer);
    writer_end(writer);
}

static void write_sizes(const struct seek_row *row, struct writer *writer)
{
    writer_key_array(writer, "sizes");
    for (unsigned size = 0; size <= POOL_SIZE_MAX; size++) {
        if (row->sizes >> size & 1 && size == POOL_TEAMS)
            writer_string(writer, "teams");
        else if (row->sizes >> size & 1)
            writer_int(writer, size);
    }
    writer_end(writer);
}

static void write_clocks(const struct wish_row *wish, struct writer *writer)
{
    writer_key_array(writer, "clocks");
    for (unsigned clock = 0; clock < WAITING_CLOCKS; clock++) {
        if (wish->clocks >> clock & 1)
            writer_string(writer, waiting_clock_name(clock));
    }
    writer_end(writer);
}

static void write_games(const struct choice_row *choice, struct writer *writer)
{
    writer_key_array(writer, "games");
    for (unsigned game = 0; game < POOL_GAMES; game++) {
        if (choice->games >> game & 1)
            writer_string(writer, waiting_game(game));
    }
    writer_end(writer);
}

static void write_seek(const struct seeks *seeks, uint64_t session, struct writer *writer)
{
    const size_t at = waiting_find(seeks, session);
    if (at == seeks->count)
        return;
    const struct choice_row *choice = &seeks->choices[at];
    writer_key_object(writer, "seek");
    write_games(choice, writer);
    write_sizes(&seeks->rows[at], writer);
    write_clocks(&seeks->wishes[at], writer);
    if (seeks->wishes[at].with)
        writer_key_id(writer, "with", seeks->wishes[at].with);
    if (choice->reach)
        writer_key_int(writer, "reach", choice->reach);
    if (choice->computers)
        writer_key_bool(writer, "computers", true);
    writer_key_int(writer, "since", seeks->rows[at].since_ms);
    writer_end(writer);
}

void ratings_write_kept(const struct hub *hub, uint64_t id, bool at_desk, struct writer *writer)
{
    const struct session *session = at_desk ? NULL : kernel_session_find(hub, id);
    const struct conduct *conduct =
        session ? kernel_session_state(hub, &ratings_memory, session) : NULL;
    if (conduct && conduct->row)
        write_conduct(conduct->row, writer);
    if (at_desk) {
        write_ratings(desk_of(hub), id, writer);
        write_seek(&desk_of(hub)->seeks, id, writer);
    }
}
