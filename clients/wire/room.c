#include "client_internal.h"
#include <protocol/merge_patch.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int64_t wall_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static struct wire_room *find_room(const struct wire_client *client, const char *id)
{
    for (struct wire_room *room = client->rooms; room; room = room->next) {
        if (strcmp(room->id, id) == 0)
            return room;
    }
    return NULL;
}

const struct wire_room *wire_client_room(const struct wire_client *client, const char *id)
{
    return find_room(client, id);
}

static struct wire_room *make_room(struct wire_client *client, const char *id)
{
    size_t len = strlen(id);
    if (client->room_count >= WIRE_ROOMS_MAX || len > PROTOCOL_ROOM_BYTES)
        return NULL;
    struct wire_room *room = calloc(1, sizeof *room);
    if (!room)
        return NULL;
    memcpy(room->id, id, len);
    room->seat = WIRE_NO_SEAT;
    room->next = client->rooms;
    client->rooms = room;
    client->room_count++;
    return room;
}

static void forget_room(struct wire_client *client, const char *id)
{
    for (struct wire_room **at = &client->rooms; *at; at = &(*at)->next) {
        struct wire_room *room = *at;
        if (strcmp(room->id, id) != 0)
            continue;
        *at = room->next;
        client->room_count--;
        json_decref(room->state);
        json_decref(room->online);
        free(room);
        return;
    }
}

void rooms_release(struct wire_client *client)
{
    while (client->rooms)
        forget_room(client, client->rooms->id);
}

/* ---- views */

static void replace_value(json_t **at, const json_t *value)
{
    json_t *copy = json_deep_copy(value);
    json_decref(*at);
    *at = copy;
}

static void take_view(struct wire_client *client, struct wire_room *room, const json_t *view)
{
    const json_t *you = json_object_get(view, "you"), *seat = json_object_get(you, "seat");
    const json_t *state = json_object_get(view, "state"), *time = json_object_get(view, "time");
    const json_t *online = json_object_get(view, "online");
    room->resyncing = false;
    room->seat = json_is_integer(seat) ? (int)json_integer_value(seat) : WIRE_NO_SEAT;
    room->host = json_is_true(json_object_get(you, "host"));
    if (json_is_integer(time))
        room->ahead_ms = json_integer_value(time) - wall_ms();
    if (json_is_object(online))
        replace_value(&room->online, online);
    if (!json_is_object(state))
        return; /* we have it, or the missing pushes follow */
    replace_value(&room->state, state);
    room->seq = json_integer_value(json_object_get(view, "seq"));
    room->at_ms = json_integer_value(time);
    client->events.view(client->user, room);
}

static void request_view(struct wire_client *client, struct wire_room *room)
{
    json_t *request = json_pack("{s:s, s:s}", "op", "watch", "room", room->id);
    if (room->state)
        json_object_set_new(request, "have", json_integer(room->seq));
    room->resyncing = wire_client_request(client, request, NULL, NULL) >= 0;
}

void rooms_resume(struct wire_client *client)
{
    for (struct wire_room *room = client->rooms; room; room = room->next) {
        if (room->resyncing)
            continue; /* that request is pending and goes out again */
        request_view(client, room);
        if (room->resyncing)
            requests_last_to_front(client);
    }
}

static bool is_view(const char *op)
{
    return strcmp(op, "watch") == 0 || strcmp(op, "join") == 0;
}

void rooms_reply(struct wire_client *client, const struct pending *request, const json_t *reply)
{
    const json_t *ok = json_object_get(reply, "ok"), *error = json_object_get(reply, "error");
    const char *id = json_string_value(json_object_get(ok, "room"));
    struct wire_room *room = find_room(client, id ? id : request->room);
    if (ok && is_view(request->op) && id) {
        room = room ? room : make_room(client, id);
        if (room)
            take_view(client, room, ok);
    } else if (ok && strcmp(request->op, "leave") == 0) {
        forget_room(client, request->room);
    } else if (error && room && room->resyncing && strcmp(request->op, "watch") == 0) {
        forget_room(client, request->room);
        client->events.gone(client->user, request->room, error);
    }
}

/* ---- pushes */

static void take_event(struct wire_client *client, struct wire_room *room, const json_t *push)
{
    int64_t seq = json_integer_value(json_object_get(push, "seq"));
    json_t *patch = json_object_get(push, "patch");
    if (!room->state || seq <= room->seq)
        return;
    if (seq != room->seq + 1 || !json_is_object(patch)) {
        client->gaps += !room->resyncing;
        if (!room->resyncing)
            request_view(client, room);
        return;
    }
    if (!merge_patch(&room->state, patch)) {
        json_decref(room->state); /* half patched: fetch it anew */
        room->state = NULL;
        request_view(client, room);
        return;
    }
    room->seq = seq;
    room->at_ms = json_integer_value(json_object_get(push, "at"));
    client->events.event(client->user, room, push);
}

static void take_presence(struct wire_room *room, const json_t *push)
{
    const char *seat;
    json_t *here, *changed = json_object_get(push, "online");
    if (!room->online)
        room->online = json_object();
    json_object_foreach(changed, seat, here)
    {
        if (json_is_true(here))
            json_object_set(room->online, seat, here);
        else
            json_object_del(room->online, seat);
    }
}

void rooms_push(struct wire_client *client, const json_t *push)
{
    const char *kind = json_string_value(json_object_get(push, "push"));
    const char *id = json_string_value(json_object_get(push, "room"));
    struct wire_room *room = id ? find_room(client, id) : NULL;
    if (strcmp(kind, "event") == 0) {
        if (room)
            take_event(client, room, push);
        return;
    }
    if (strcmp(kind, "presence") == 0 && room)
        take_presence(room, push);
    client->events.push(client->user, room, push);
}
