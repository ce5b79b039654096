#include "lobby.h"

#include "client.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const rooms[] = {"en", "fr", "zh"};
enum { ROOMS = sizeof rooms / sizeof rooms[0], LINES = 100 /* of each */, SOON_MS = 1000 };

void lobby_release(struct lobby *lobby)
{
    free(lobby->lines);
    *lobby = (struct lobby){0};
}

static unsigned below(struct sim *sim, unsigned n)
{
    return rng_scaled(&sim->lobby.rng, n);
}

/* ---- what was said */

static struct lobby_line *add_line(struct sim *sim, const struct client *client)
{
    struct lobby *lobby = &sim->lobby;
    if (lobby->count == lobby->size) {
        lobby->size = lobby->size ? 2 * lobby->size : 64;
        lobby->lines = realloc(lobby->lines, lobby->size * sizeof *lobby->lines);
        assert(lobby->lines);
    }
    struct lobby_line *line = &lobby->lines[lobby->count++];
    *line = (struct lobby_line){.room = client->lobby_room,
                                .by = client->index,
                                .start = sim->starts,
                                .said_ms = INT64_MAX,
                                .gone_ms = INT64_MAX};
    (void)snprintf(line->text, sizeof line->text, "line %zu", lobby->count);
    return line;
}

static struct lobby_line *find_text(const struct lobby *lobby, const char *text)
{
    for (size_t at = 0; at < lobby->count; at++) {
        if (strcmp(lobby->lines[at].text, text) == 0)
            return &lobby->lines[at];
    }
    return NULL;
}

static struct lobby_line *find_number(const struct lobby *lobby, int64_t n)
{
    for (size_t at = 0; at < lobby->count; at++) {
        if (lobby->lines[at].n == n)
            return &lobby->lines[at];
    }
    return NULL;
}

/* It has that number, as the first who is told of it says, and no other line has. */
static void note_number(const struct sim *sim, struct lobby_line *line, int64_t n)
{
    const struct lobby_line *other = find_number(&sim->lobby, n);
    if (other && other != line)
        sim_fail(sim, "line %lld of the lobby is \"%s\" and \"%s\"", (long long)n, other->text,
                 line->text);
    if (line->n != 0 && line->n != n)
        sim_fail(sim, "\"%s\" is line %lld of the lobby and %lld", line->text, (long long)line->n,
                 (long long)n);
    line->n = n;
}

/* ---- what somebody does */

static const char *any_room(struct sim *sim, struct client *client)
{
    client->lobby_room = below(sim, ROOMS);
    client->lobby_have = 0;
    return rooms[client->lobby_room];
}

static bool is_listening(const struct client *client)
{
    for (size_t i = 0; i < CLIENT_ASKS; i++) {
        if (client->asks[i].id && strcmp(client->asks[i].op, "chat") == 0)
            return true;
    }
    return false;
}

static void listen(struct sim *sim, struct client *client)
{
    struct ask *ask = ask_begin(client);
    json_t *members = json_object();
    if (!ask || (is_listening(client) && below(sim, 16))) {
        json_decref(members);
        return;
    }
    const char *room = below(sim, 8) ? rooms[client->lobby_room] : any_room(sim, client);
    json_object_set_new(members, "lang", json_string(room));
    if (client->lobby_have > 0 && !sim->calm)
        json_object_set_new(members, "have", json_integer(client->lobby_have));
    ask->have = sim->calm ? 0 : (uint64_t)client->lobby_have;
    ask_send(sim, client, ask, "chat", "", members);
}

static void say(struct sim *sim, struct client *client)
{
    struct ask *ask = ask_begin(client);
    if (!ask)
        return;
    const struct lobby_line *line = add_line(sim, client);
    ask_send(sim, client, ask, "chat_say", "",
             json_pack("{s:s,s:s}", "lang", rooms[line->room], "text", line->text));
}

/* One of its own, of which it knows the number. */
static void drop(struct sim *sim, struct client *client)
{
    struct ask *ask = ask_begin(client);
    struct lobby_line *line =
        sim->lobby.count > 0 ? &sim->lobby.lines[below(sim, (unsigned)sim->lobby.count)] : NULL;
    if (!ask || !line || line->by != client->index || line->n == 0)
        return;
    line->dropping = true;
    ask_send(sim, client, ask, "chat_drop", "", json_pack("{s:I}", "line", (json_int_t)line->n));
}

/* When all is calm nobody waits for more: each is asked for all of a room. */
void lobby_act(struct sim *sim, struct client *client)
{
    const unsigned what = below(sim, 30);
    if (sim->calm && what > 0)
        return;
    if (what < 10)
        listen(sim, client);
    else if (what < 14 && client->has_handle)
        say(sim, client);
    else if (what == 14)
        drop(sim, client);
}

/* ---- what it is told */

static json_t *member_asked(const struct ask *ask, const char *key)
{
    json_t *request = json_loads(ask->text, 0, NULL);
    json_t *member = json_incref(json_object_get(request, key));
    json_decref(request);
    return member;
}

static void receive_said(struct sim *sim, const struct ask *ask, const json_t *ok)
{
    json_t *text = member_asked(ask, "text");
    struct lobby_line *line = find_text(&sim->lobby, json_string_value(text));
    json_decref(text);
    note_number(sim, line, number_of(ok, "line"));
    if (line->said_ms == INT64_MAX)
        line->said_ms = sim->now_ms;
    mark(MARK_LINE_SAID);
}

static void receive_dropped(const struct sim *sim, const struct ask *ask)
{
    json_t *n = member_asked(ask, "line");
    struct lobby_line *line = find_number(&sim->lobby, json_integer_value(n));
    json_decref(n);
    if (line->gone_ms == INT64_MAX)
        line->gone_ms = sim->now_ms;
    mark(MARK_LINE_DROPPED);
}

static void check_line(const struct sim *sim, const struct client *client, const struct ask *ask,
                       const json_t *told)
{
    struct lobby_line *line = find_text(&sim->lobby, text_of(told, "text"));
    if (!line)
        sim_fail(sim, "client %u is told \"%s\" in the lobby, which nobody has said", client->index,
                 text_of(told, "text"));
    note_number(sim, line, number_of(told, "line"));
    if (line->room != client->lobby_room)
        sim_fail(sim, "client %u is told \"%s\" in another room", client->index, line->text);
    if (line->gone_ms < ask->sent_ms)
        sim_fail(sim, "client %u is told \"%s\", which was taken away", client->index, line->text);
    line->at_ms = number_of(told, "at");
}

static bool is_told(const json_t *lines, int64_t n)
{
    size_t at;
    const json_t *line;
    json_array_foreach(lines, at, line)
    {
        if (number_of(line, "line") == n)
            return true;
    }
    return false;
}

/* Are there so many behind it that it had to go? */
static bool is_pushed_out(const struct lobby *lobby, const struct lobby_line *line)
{
    size_t behind = 0;
    for (size_t at = 0; at < lobby->count; at++)
        behind += lobby->lines[at].room == line->room &&
                  (lobby->lines[at].n == 0 || lobby->lines[at].n > line->n);
    return behind >= LINES;
}

/* Or is about to be: its number may be a little larger than the time when it was said. */
static bool is_old(const struct sim *sim, const struct lobby_line *line)
{
    return line->n + sim->config.chat_keep_ms <= sim->now_ms + SOON_MS;
}

/* It was said to this server, was there when it was asked, and is not old. */
static bool is_to_be_told(const struct sim *sim, const struct lobby_line *line,
                          const struct ask *ask)
{
    return line->said_ms < ask->sent_ms && line->start == ask->start && ask->start == sim->starts &&
           !line->dropping && !is_old(sim, line) && !is_pushed_out(&sim->lobby, line);
}

static void check_complete(const struct sim *sim, const struct client *client,
                           const struct ask *ask, const json_t *ok)
{
    const bool whole = json_is_true(json_object_get(ok, "whole"));
    for (size_t at = 0; at < sim->lobby.count; at++) {
        const struct lobby_line *line = &sim->lobby.lines[at];
        if (line->room != client->lobby_room || !is_to_be_told(sim, line, ask) ||
            (!whole && line->n <= (int64_t)ask->have))
            continue;
        if (!is_told(json_object_get(ok, "lines"), line->n))
            sim_fail(sim, "client %u is not told \"%s\", line %lld of the lobby", client->index,
                     line->text, (long long)line->n);
        mark(MARK_LINE_HEARD);
    }
}

static void check_gone(const struct sim *sim, const struct client *client, const json_t *ok)
{
    size_t at;
    const json_t *n;
    json_array_foreach(json_object_get(ok, "gone"), at, n)
    {
        const struct lobby_line *line = find_number(&sim->lobby, json_integer_value(n));
        if (!line || line->room != client->lobby_room || (!line->dropping && !is_old(sim, line)))
            sim_fail(sim, "client %u is told that line %lld of the lobby is gone", client->index,
                     (long long)json_integer_value(n));
        mark(MARK_LINE_GONE);
    }
}

static bool is_of_room(const struct client *client, const struct ask *ask)
{
    json_t *lang = member_asked(ask, "lang");
    const bool same = strcmp(json_string_value(lang), rooms[client->lobby_room]) == 0;
    json_decref(lang);
    return same;
}

/* One that was taken away before that was asked; NULL: none. */
static const struct lobby_line *any_gone(const struct sim *sim, const struct client *client,
                                         const struct ask *ask)
{
    for (size_t at = 0; at < sim->lobby.count; at++) {
        const struct lobby_line *line = &sim->lobby.lines[at];
        if (line->gone_ms < ask->sent_ms && line->room == client->lobby_room)
            return line;
    }
    return NULL;
}

static void spoil_news(const struct sim *sim, const struct client *client, const struct ask *ask,
                       const json_t *ok)
{
    json_t *lines = json_object_get(ok, "lines"), *first = json_array_get(lines, 0);
    const struct lobby_line *gone = any_gone(sim, client, ask);
    if (sim->lobby.spoilt == LOBBY_UNTOLD)
        (void)json_array_remove(lines, 0);
    else if (first && sim->lobby.spoilt == LOBBY_OTHER_NUMBER)
        json_object_set_new(first, "line", json_integer(number_of(first, "line") - 1));
    else if (gone && sim->lobby.spoilt == LOBBY_STAYS)
        json_array_insert_new(
            lines, 0, json_pack("{s:I,s:s}", "line", (json_int_t)gone->n, "text", gone->text));
}

static void receive_news(const struct sim *sim, struct client *client, const struct ask *ask,
                         const json_t *ok)
{
    size_t at;
    const json_t *line;
    int64_t last = 0;
    if (!is_of_room(client, ask))
        return; /* it has gone to another one meanwhile */
    if (sim->lobby.spoilt)
        spoil_news(sim, client, ask, ok);
    json_array_foreach(json_object_get(ok, "lines"), at, line)
    {
        check_line(sim, client, ask, line);
        if (number_of(line, "line") <= last)
            sim_fail(sim, "client %u is told lines of the lobby out of order", client->index);
        last = number_of(line, "line");
    }
    check_gone(sim, client, ok);
    check_complete(sim, client, ask, ok);
    client->lobby_have = number_of(ok, "have");
}

void lobby_receive(struct sim *sim, struct client *client, const struct ask *ask, const json_t *ok)
{
    if (strcmp(ask->op, "chat") == 0)
        receive_news(sim, client, ask, ok);
    else if (strcmp(ask->op, "chat_say") == 0)
        receive_said(sim, ask, ok);
    else
        receive_dropped(sim, ask);
}
