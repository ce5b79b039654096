#include "told.h"

#include <check.h>
#include <string.h>

static json_t *events[CLIENTS];

json_t *told_events(int guest)
{
    return events[guest];
}

void told_release(void)
{
    for (int guest = 0; guest < CLIENTS; guest++) {
        json_decref(events[guest]);
        events[guest] = NULL;
    }
}

/* All that has come; an event is kept. */
void told_listen(struct nodes *nodes, const char *room, int guest)
{
    if (!events[guest])
        events[guest] = json_array();
    for (size_t at = 0; at < nodes->guests[guest].count; at++) {
        json_t *message = nodes->guests[guest].inbox[at];
        if (strcmp(text_of(message, "push"), "event") == 0 &&
            strcmp(text_of(message, "room"), room) == 0)
            json_array_append(events[guest], message);
    }
    nodes_forget(nodes, guest);
}

/* As it was to be told, from the first that came to the last that there is. */
void told_check(struct nodes *nodes, const char *room, int guest)
{
    told_listen(nodes, room, guest);
    size_t at = 0;
    json_int_t seq = number_of(json_array_get(events[guest], 0), "seq") - 1;
    ck_assert_int_ge(seq, 0);
    for (bool more = true; more;) {
        json_t *ok = nodes_ok(nodes, guest, "past", "{s:s,s:I}", "room", room, "have", seq);
        const json_t *past = json_object_get(ok, "events");
        for (size_t i = 0; i < json_array_size(past); i++, at++) {
            const json_t *told = json_array_get(events[guest], at);
            ck_assert_msg(json_equal(told, json_array_get(past, i)), "%d: event %lld instead of %d",
                          guest, (long long)number_of(told, "seq"), (int)seq + (int)i + 1);
        }
        seq = number_of(ok, "seq");
        more = json_is_true(json_object_get(ok, "more"));
        json_decref(ok);
        nodes->now_ms += 5000;
    }
    ck_assert_uint_eq(json_array_size(events[guest]), at);
}

json_t *told_reply(struct nodes *nodes, int guest, int64_t id)
{
    json_t *reply = nodes_reply(nodes, guest, id);
    ck_assert_msg(reply, "no reply; closed with %d", nodes->guests[guest].close_code);
    json_t *second = nodes_reply(nodes, guest, id);
    ck_assert_msg(!second, "a second reply");
    return reply;
}

void told_check_reply(struct nodes *nodes, int guest, int64_t id, const char *error)
{
    json_t *reply = told_reply(nodes, guest, id);
    ck_assert_str_eq(text_of(json_object_get(reply, "error"), "code"), error);
    json_decref(reply);
}

int guest_of_part(struct nodes *nodes, unsigned part, const char *name)
{
    int guest = nodes_guest(nodes, nodes->places[part].node, name);
    while (home_of(nodes, guest) != part)
        guest = nodes_guest(nodes, nodes->places[part].node, name);
    const int here = nodes_back(nodes, 0, guest);
    nodes_disconnect(nodes, guest);
    return here;
}
