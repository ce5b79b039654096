#include "op_act.h"

#include "held.h"
#include "op_event.h"
#include <hub/call.h>
#include <hub/kernel.h>
#include <jansson.h>
#include <protocol/encoding.h>
#include <protocol/request.h>
#include <protocol/text.h>
#include <stdio.h>
#include <string.h>

enum { MEMBERS_MAX = 3 };

/* What is asked for, and the kind of its entry; its members, in their order, of which that of a
 * round that is to come is not said. */
static const struct act {
    const char *what, *kind;
    const char *members[MEMBERS_MAX + 1];
} acts[] = {
    {"judge", "judged", {"round", "table", "places"}},
    {"off", "off", {NULL}},
    {"pair", "paired", {"tables"}},
    {"remove", "removed", {"entrant"}},
};

static const struct act *find_act(const json_t *asked)
{
    const char *what = json_string_value(json_object_get(asked, "what"));
    for (size_t at = 0; what && at < sizeof acts / sizeof acts[0]; at++) {
        if (strcmp(acts[at].what, what) == 0)
            return &acts[at];
    }
    return NULL;
}

/* ---- its entry, as it stands in a log */

static bool add_head(json_t *line, const struct event_entry *next, const char *kind)
{
    char by[2 * sizeof next->by + 1];
    (void)snprintf(by, sizeof by, "%016llx", (unsigned long long)next->by);
    return json_object_set_new(line, "n", json_integer((json_int_t)next->n)) == 0 &&
           json_object_set_new(line, "at", json_integer(next->at_ms)) == 0 &&
           json_object_set_new(line, "by", json_string(by)) == 0 &&
           json_object_set_new(line, "kind", json_string(kind)) == 0;
}

static bool add_secret(json_t *line, const struct held *held)
{
    char digits[2 * DEAL_SECRET_BYTES + 1];
    hex_encode(digits, held->row.secret, DEAL_SECRET_BYTES);
    return json_object_set_new(line, "secret", json_string(digits)) == 0;
}

/* Of what was asked for; one that is missing, or too many, are found when the line is read. */
static bool add_members(json_t *line, const struct held *held, const struct act *act,
                        const json_t *asked)
{
    bool added = true;
    if (strcmp(act->kind, "paired") == 0)
        added = json_object_set_new(line, "round", json_integer(held->ahead.rounds + 1)) == 0;
    for (size_t at = 0; added && act->members[at]; at++) {
        json_t *value = json_object_get(asked, act->members[at]);
        added = !value || json_object_set(line, act->members[at], value) == 0;
    }
    return added && (strcmp(act->kind, "off") != 0 || add_secret(line, held));
}

static size_t count_members(const struct act *act)
{
    size_t count = 0;
    while (act->members[count])
        count++;
    return count;
}

/* As whoever reads the log would: so nothing is in it that cannot be. */
static enum event_read make_entry(const struct call *call, const struct held *held,
                                  const struct act *act, const char *reason,
                                  struct event_entry *entry)
{
    char text[EVENT_LINE_MAX + 1];
    const json_t *asked = call->request->options;
    const uint64_t session = kernel_session_id(call->session);
    const struct event_entry next = held_next(call->hub, held, EVENT_JUDGED, session);
    enum event_read read = EVENT_READ_NO_MEMORY;
    json_t *line = json_object();
    if (json_object_size(asked) != count_members(act) + 1) {
        json_decref(line);
        return EVENT_NOT_READ;
    }
    if (line && add_head(line, &next, act->kind) && add_members(line, held, act, asked) &&
        json_object_set_new(line, "reason", json_string(reason)) == 0) {
        const size_t len = json_dumpb(line, text, EVENT_LINE_MAX, JSON_COMPACT);
        read = len > EVENT_LINE_MAX ? EVENT_NOT_READ : read;
        if (len > 0 && len <= EVENT_LINE_MAX)
            read = event_read(entry, text, len);
    }
    json_decref(line);
    return read;
}

void op_event_act(struct call *call)
{
    const struct act *act = find_act(call->request->options);
    const char *text = call->request->text;
    char reason[EVENT_REASON_BYTES + 1];
    struct event_entry entry;
    struct held *held = op_event_find(call);
    if (!held)
        return;
    if (held->ahead.director != kernel_session_id(call->session)) {
        call_error(call, PROTOCOL_NOT_DIRECTOR, NULL);
        return;
    }
    if (!act || !text_kept(reason, sizeof reason, text, strlen(text), EVENT_REASON_CHARS)) {
        call_error(call, PROTOCOL_BAD_FIELD, act ? "text" : "act");
        return;
    }
    switch (make_entry(call, held, act, reason, &entry)) {
    case EVENT_READ:
        op_event_do(call, held, &entry, NULL);
        return;
    case EVENT_NOT_READ:
        call_error(call, PROTOCOL_BAD_FIELD, "act");
        return;
    case EVENT_READ_NO_MEMORY:
        break;
    }
    call_error(call, PROTOCOL_INTERNAL, NULL);
}
