/*
 * What the table asks of the server.
 */
#include "online.h"
#include "play_enter.h"
#include "refusal.h"
#include "table.h"
#include <string.h>

/* ---- asking */

static void on_reply(void *user, const json_t *ok, const json_t *error)
{
    struct table *table = user;
    char text[512];
    (void)ok;
    if (!error)
        return;
    refusal_text(text, sizeof text, error);
    table_say(table, "%s", text);
}

static void refuse_watcher(struct table *table)
{
    char command[ONLINE_COMMAND];
    online_command(command, table->online, "join", table->room);
    table_say(table, "You only watch here. To play: %s", command);
}

void table_request(struct table *table, json_t *request, wire_reply_fn *reply)
{
    if (!play_may_ask(table->plan, json_string_value(json_object_get(request, "op")))) {
        json_decref(request);
        refuse_watcher(table);
    } else if (wire_client_request(table->online->client, request, reply, table) < 0) {
        table_say(table, "That was too long, or too many requests wait for a reply.");
    } else if (!wire_client_is_online(table->online->client)) {
        table_say(table, "Kept: it is sent once the server is back.");
    }
}

void table_ask(struct table *table, json_t *request)
{
    table_request(table, request, on_reply);
}

static void on_moved(void *user, const json_t *ok, const json_t *error)
{
    struct table *table = user;
    const char *code = json_string_value(json_object_get(error, "code"));
    bool eliminates = code && strcmp(code, "eliminates_you") == 0;
    on_reply(user, ok, error);
    if (eliminates)
        table_say(table, "Type `yes` to play %s all the same.", table->to_confirm);
    else
        table->to_confirm[0] = '\0';
}

void table_move(struct table *table, const char *move, bool confirm)
{
    json_t *request = request_make("move", table->room, "move", move);
    if (confirm)
        json_object_set_new(request, "confirm", json_true());
    snprintf(table->to_confirm, sizeof table->to_confirm, "%s", move);
    table_request(table, request, on_moved);
}
