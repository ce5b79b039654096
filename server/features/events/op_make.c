#include "op_make.h"

#include "held.h"
#include "op_event.h"
#include "tables.h"
#include <hub/call.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <jansson.h>
#include <protocol/encoding.h>
#include <protocol/reply.h>
#include <protocol/request.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rules, as they were asked for */

/* What is left out is as here. */
static const struct event_rules usual = {.game = "taluva",
                                         .options = "{}",
                                         .clock = "{\"bank_s\":900,\"increment_s\":15,"
                                                  "\"kind\":\"fischer\"}",
                                         .form = EVENT_TABLES,
                                         .points = EVENT_WINS,
                                         .rounds = 3,
                                         .least = 3,
                                         .most = EVENT_ENTRANTS_MAX,
                                         .check_in_s = 900,
                                         .break_s = 300,
                                         .round_s = 7200,
                                         .wait_s = 300};
enum { ROBIN_ROUNDS = 1, ROBIN_LEAST = 2 };

struct reading {
    const json_t *rules;
    size_t left;       /* members that were not read */
    const char *wrong; /* the first that is wrong; NULL: none */
};

static const json_t *take_member(struct reading *reading, const char *name)
{
    const json_t *value = json_object_get(reading->rules, name);
    reading->left -= value != NULL;
    return value;
}

static void note_wrong(struct reading *reading, const char *name, bool good)
{
    if (!good && !reading->wrong)
        reading->wrong = name;
}

static int64_t read_number(struct reading *reading, const char *name, int64_t most, int64_t usually)
{
    const json_t *value = take_member(reading, name);
    const int64_t number = value ? json_integer_value(value) : usually;
    note_wrong(reading, name, !value || (json_is_integer(value) && number >= 0 && number <= most));
    return number;
}

static bool read_bool(struct reading *reading, const char *name)
{
    const json_t *value = take_member(reading, name);
    note_wrong(reading, name, !value || json_is_boolean(value));
    return json_is_true(value);
}

/* Is it the second of two words? */
static bool read_word(struct reading *reading, const char *name, const char *first,
                      const char *second)
{
    const json_t *value = take_member(reading, name);
    const char *word = value ? json_string_value(value) : first;
    const bool is_second = word && strcmp(word, second) == 0;
    note_wrong(reading, name, is_second || (word && strcmp(word, first) == 0));
    return is_second;
}

static void read_game(struct reading *reading, char game[static PROTOCOL_GAME_BYTES + 1])
{
    const json_t *value = take_member(reading, "game");
    const char *word = json_string_value(value);
    const bool good = !value || (word && strlen(word) <= PROTOCOL_GAME_BYTES);
    note_wrong(reading, "game", good);
    if (good && value)
        memcpy(game, word, strlen(word) + 1);
}

static void read_object(struct reading *reading, const char *name,
                        char text[static EVENT_OBJECT_MAX + 1])
{
    const json_t *value = take_member(reading, name);
    if (!value)
        return;
    const size_t len = json_is_object(value) ? json_dumpb(value, text, EVENT_OBJECT_MAX,
                                                          JSON_COMPACT | JSON_SORT_KEYS)
                                             : 0;
    const bool good = len > 0 && len <= EVENT_OBJECT_MAX;
    note_wrong(reading, name, good);
    text[good ? len : 0] = '\0';
}

/* Which member is wrong, "": the whole; NULL: none. */
static const char *read_rules(const json_t *object, struct event_rules *rules)
{
    struct reading reading = {object, json_object_size(object), NULL};
    *rules = usual;
    rules->form = read_word(&reading, "form", "tables", "robin") ? EVENT_ROBIN : EVENT_TABLES;
    const bool robin = rules->form == EVENT_ROBIN;
    rules->points = read_word(&reading, "points", "wins", "places") ? EVENT_PLACES : EVENT_WINS;
    read_game(&reading, rules->game);
    read_object(&reading, "options", rules->options);
    read_object(&reading, "clock", rules->clock);
    rules->rounds =
        (uint16_t)read_number(&reading, "rounds", UINT16_MAX, robin ? ROBIN_ROUNDS : usual.rounds);
    rules->final = read_bool(&reading, "final");
    rules->least =
        (uint16_t)read_number(&reading, "least", UINT16_MAX, robin ? ROBIN_LEAST : usual.least);
    rules->most = (uint16_t)read_number(&reading, "most", UINT16_MAX,
                                        robin ? EVENT_ROBIN_ENTRANTS_MAX : usual.most);
    rules->guests = read_bool(&reading, "guests");
    rules->start_ms = read_number(&reading, "start", PROTOCOL_INTEGER_MAX, -1);
    rules->check_in_s =
        (uint32_t)read_number(&reading, "check_in_s", EVENT_SECONDS_MAX, usual.check_in_s);
    rules->break_s = (uint32_t)read_number(&reading, "break_s", EVENT_SECONDS_MAX, usual.break_s);
    rules->round_s = (uint32_t)read_number(&reading, "round_s", EVENT_SECONDS_MAX, usual.round_s);
    rules->wait_s =
        (uint32_t)read_number(&reading, "wait_s", EVENT_SECONDS_MAX,
                              rules->round_s < usual.wait_s ? rules->round_s : usual.wait_s);
    note_wrong(&reading, "start", rules->start_ms >= 0);
    note_wrong(&reading, "", reading.left == 0);
    return reading.wrong;
}

/* ---- whether it may be */

/* Else the call is refused. */
static bool has_place(const struct call *call)
{
    const struct hub_config *config = kernel_config(call->hub);
    const uint64_t session = kernel_session_id(call->session);
    if (held_count_open(call->hub, 0) < (uint64_t)config->events &&
        held_count_open(call->hub, session) < (uint64_t)config->events_per_account)
        return true;
    call_error(call, PROTOCOL_TOO_MANY_EVENTS, NULL);
    return false;
}

/* Of each size that its tables mostly have. Else the call is refused. */
static bool can_be_played(const struct call *call, const struct event_rules *rules)
{
    const unsigned least = rules->form == EVENT_ROBIN ? 2 : 3;
    const unsigned most = rules->form == EVENT_ROBIN ? 2 : 4;
    struct refusal refusal;
    for (unsigned seats = least; seats <= most; seats++) {
        if (tables_can_play(call->hub, rules, seats, &refusal))
            continue;
        call_error(call,
                   refusal.error == PROTOCOL_INTERNAL ? PROTOCOL_INTERNAL : PROTOCOL_BAD_FIELD,
                   refusal.error == PROTOCOL_INTERNAL ? NULL : "rules.options");
        return false;
    }
    return true;
}

/* Else the call is refused. */
static bool may_make(const struct call *call, struct event_rules *rules)
{
    char field[PROTOCOL_FIELD_BYTES + 1];
    if (!kernel_needs_account(call) || !has_place(call))
        return false;
    const char *wrong = read_rules(call->request->options, rules);
    if (wrong) {
        (void)snprintf(field, sizeof field, "rules%s%s", wrong[0] ? "." : "", wrong);
        call_error(call, PROTOCOL_BAD_FIELD, field);
        return false;
    }
    memcpy(rules->title, call->request->title, sizeof rules->title);
    return can_be_played(call, rules);
}

/* ---- making it */

static void draw_id(const struct hub *hub, char id[static PROTOCOL_ROOM_BYTES + 1])
{
    const struct hub_env *env = kernel_env(hub);
    uint8_t bytes[ROOM_ID_RANDOM_BYTES];
    do {
        env->random(env->ctx, bytes, sizeof bytes);
        room_id_encode(id, bytes);
    } while (held_is_known(hub, id));
}

static struct held *begin_event(const struct call *call, struct event_rules *rules)
{
    const struct hub_env *env = kernel_env(call->hub);
    struct event_row row = {.made_ms = kernel_now_ms(call->hub)};
    draw_id(call->hub, row.event);
    env->random(env->ctx, row.secret, sizeof row.secret);
    memcpy(rules->id, row.event, sizeof rules->id);
    deal_commit(rules->commitment, row.secret);
    return held_add(call->hub, &row);
}

void op_event_make(struct call *call)
{
    struct event_rules rules;
    struct reply reply;
    enum event_fault fault;
    if (!may_make(call, &rules))
        return;
    struct held *held = begin_event(call, &rules);
    if (!held) {
        call_error(call, PROTOCOL_INTERNAL, NULL);
        return;
    }
    struct event_entry entry =
        held_next(call->hub, held, EVENT_MADE, kernel_session_id(call->session));
    entry.u.made = rules;
    const struct event_entrant_row name = op_event_name(call, rules.id, 0);
    call_reply_begin(call, &reply);
    writer_key_string(&reply.writer, "event", rules.id);
    const enum protocol_error error =
        held_enter(call->hub, held, &entry, &name, call, &reply, &fault);
    if (error == PROTOCOL_OK)
        return;
    call_reply_drop(&reply);
    op_event_refuse(call, NULL, error, fault);
}
