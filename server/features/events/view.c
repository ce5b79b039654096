#include "view.h"

#include "held.h"
#include <event/standings.h>
#include <hub/call.h>
#include <hub/kernel.h>
#include <protocol/account.h>
#include <protocol/buffer.h>
#include <protocol/json_writer.h>
#include <stdlib.h>
#include <string.h>

static const char *phase_word(const struct event *event)
{
    static const char *const words[] = {[EVENT_UNMADE] = "open",
                                        [EVENT_IS_OPEN] = "open",
                                        [EVENT_IS_RUNNING] = "running",
                                        [EVENT_IS_OVER] = "over",
                                        [EVENT_IS_OFF] = "off"};
    return words[event->phase];
}

/* ---- in a list */

static void write_name(const struct held *held, unsigned number, struct writer *writer)
{
    if (number >= held->name_count) /* its row is damaged */
        return;
    const struct event_entrant_row *name = &held->names[number];
    if (name->handle[0])
        writer_key_string(writer, "handle", name->handle);
    if (name->kind == ACCOUNT_BOT)
        writer_key_bool(writer, "bot", true);
    if (name->name[0])
        writer_key_string(writer, "name", name->name);
}

static void write_head(const struct held *held, struct writer *writer)
{
    const struct event *event = &held->durable;
    const struct event_rules *rules = &event->rules;
    writer_key_string(writer, "event", rules->id);
    writer_key_string(writer, "title", rules->title);
    writer_key_string(writer, "phase", phase_word(event));
    writer_key_object(writer, "director");
    write_name(held, 0, writer);
    writer_end(writer);
    writer_key_string(writer, "game", rules->game);
    writer_key_string(writer, "form", event_form_name(rules->form));
    writer_key_int(writer, "start", rules->start_ms);
    writer_key_int(writer, "in", event_count_in(event));
    writer_key_int(writer, "most", rules->most);
    if (rules->guests)
        writer_key_bool(writer, "guests", true);
    writer_key_int(writer, "round", event->rounds);
    writer_key_int(writer, "rounds", event_planned(event));
}

void event_view_write_short(const struct held *held, struct writer *writer)
{
    writer_object(writer);
    write_head(held, writer);
    writer_end(writer);
}

/* ---- all of it */

static void write_rules(const struct event_rules *rules, struct writer *writer)
{
    writer_key_object(writer, "rules");
    writer_key_raw(writer, "options", rules->options, strlen(rules->options));
    writer_key_raw(writer, "clock", rules->clock, strlen(rules->clock));
    writer_key_string(writer, "points", event_points_name(rules->points));
    writer_key_bool(writer, "final", rules->final);
    writer_key_int(writer, "least", rules->least);
    writer_key_int(writer, "check_in_s", rules->check_in_s);
    writer_key_int(writer, "break_s", rules->break_s);
    writer_key_int(writer, "round_s", rules->round_s);
    writer_key_int(writer, "wait_s", rules->wait_s);
    writer_end(writer);
}

static const char *state_word(const struct event_entrant *entrant)
{
    if (entrant->removed)
        return "removed";
    if (entrant->withdrawn)
        return "out";
    return entrant->here ? "here" : "in";
}

static void write_entrant(const struct held *held, const struct event_standing *standing,
                          struct writer *writer)
{
    const struct event_entrant *entrant = &held->durable.entrant[standing->entrant - 1];
    writer_object(writer);
    writer_key_int(writer, "entrant", standing->entrant);
    write_name(held, standing->entrant, writer);
    writer_key_string(writer, "state", state_word(entrant));
    writer_key_int(writer, "place", standing->place);
    writer_key_int(writer, "points", standing->points);
    if (!standing->counts)
        writer_key_bool(writer, "counts", false);
    writer_end(writer);
}

/* In the order of their places. False: no memory. */
static bool write_entrants(const struct held *held, struct writer *writer)
{
    const unsigned count = held->durable.entrants;
    struct event_standing *standings = calloc(count + 1, sizeof *standings);
    const bool known = standings && event_standings(&held->durable, standings);
    writer_key_array(writer, "entrants");
    for (unsigned at = 0; known && at < count; at++)
        write_entrant(held, &standings[at], writer);
    writer_end(writer);
    free(standings);
    return known;
}

static void write_numbers(const char *key, const void *numbers, bool is_wide, unsigned count,
                          struct writer *writer)
{
    writer_key_array(writer, key);
    for (unsigned at = 0; at < count; at++)
        writer_int(writer,
                   is_wide ? ((const uint16_t *)numbers)[at] : ((const uint8_t *)numbers)[at]);
    writer_end(writer);
}

static void write_table(const struct event_table *table, const char *room, struct writer *writer)
{
    writer_object(writer);
    write_numbers("seats", table->seat, true, table->seats, writer);
    if (table->over)
        write_numbers("places", table->place, false, table->seats, writer);
    if (table->room[0] || room[0])
        writer_key_string(writer, "room", table->room[0] ? table->room : room);
    writer_end(writer);
}

/* Of the last round; of earlier ones see the log. */
static void write_tables(const struct held *held, struct writer *writer)
{
    const struct event *event = &held->durable;
    const struct event_round *round = event->rounds ? &event->round[event->rounds - 1] : NULL;
    writer_key_array(writer, "tables");
    for (unsigned at = 0; round && at < round->tables; at++)
        write_table(&round->table[at], held->rooms[at].id, writer);
    writer_end(writer);
}

/* What everybody is shown alike, made once of each revision. False: no memory. */
static bool make_shown(struct held *held)
{
    struct writer writer;
    if (held->shown_revision == held->revision)
        return true;
    buffer_clear(&held->shown);
    writer_init(&writer, &held->shown);
    writer_object(&writer);
    write_head(held, &writer);
    write_rules(&held->durable.rules, &writer);
    writer_key_int(&writer, "n", (int64_t)held->durable.n);
    const bool known = write_entrants(held, &writer);
    write_tables(held, &writer);
    writer_end(&writer);
    const bool made = known && !held->shown.failed;
    held->shown_revision = made ? held->revision : 0;
    return made;
}

void event_view_answer(const struct call *call, struct held *held, bool again)
{
    const uint64_t session = kernel_session_id(call->session);
    const unsigned own = event_find(&held->durable, session);
    struct reply reply;
    if (!make_shown(held)) {
        call_error(call, PROTOCOL_INTERNAL, NULL);
        return;
    }
    call_reply_begin(call, &reply);
    writer_key_int(&reply.writer, "have", held->revision);
    if (own > 0)
        writer_key_int(&reply.writer, "you", own);
    if (session == held->durable.director)
        writer_key_bool(&reply.writer, "yours", true);
    if (again)
        writer_key_int(&reply.writer, "again_ms", EVENT_AGAIN_MS);
    writer_members(&reply.writer, buffer_payload(&held->shown), held->shown.len);
    call_charge(call, reply.buffer.len);
    call_reply(call, &reply, NULL);
}
