#include "record_fetch.h"

#include <protocol/record.h>
#include <string.h>

static void ask_piece(struct record_fetch *fetch);

static void end_fetch(struct record_fetch *fetch, const json_t *error)
{
    fetch->busy = false;
    fetch->fetched(fetch->user, error ? NULL : buffer_payload(&fetch->text), error);
}

static void end_badly(struct record_fetch *fetch, const char *why)
{
    json_t *error = json_pack("{s:s, s:s}", "code", "lost", "message", why);
    end_fetch(fetch, error);
    json_decref(error);
}

static void on_piece(void *user, const json_t *ok, const json_t *error)
{
    struct record_fetch *fetch = user;
    const json_t *text = json_object_get(ok, "record"), *next = json_object_get(ok, "next");
    if (error) {
        end_fetch(fetch, error);
        return;
    }
    if (!json_is_string(text) || (next && json_string_length(text) == 0)) {
        end_badly(fetch, "That is no record.");
        return;
    }
    buffer_append(&fetch->text, json_string_value(text), json_string_length(text));
    if (next && !fetch->text.failed) {
        ask_piece(fetch);
        return;
    }
    buffer_append(&fetch->text, "", 1); /* ends the string */
    if (fetch->text.failed)
        end_badly(fetch, "The record is longer than any can be.");
    else
        end_fetch(fetch, NULL);
}

static void ask_piece(struct record_fetch *fetch)
{
    json_t *request = json_pack("{s:s, s:s}", "op", "record", "room", fetch->room);
    if (fetch->text.len > 0)
        json_object_set_new(request, "have", json_integer((json_int_t)fetch->text.len));
    if (wire_client_request(fetch->client, request, on_piece, fetch) < 0)
        end_badly(fetch, "Too many requests wait for a reply.");
}

void record_fetch_begin(struct record_fetch *fetch, struct wire_client *client, const char *room,
                        record_fetched_fn *fetched, void *user)
{
    if (fetch->busy)
        return;
    record_fetch_release(fetch);
    buffer_init(&fetch->text, 0, RECORD_BYTES + 1);
    memcpy(fetch->room, room, strlen(room) + 1);
    fetch->client = client;
    fetch->fetched = fetched;
    fetch->user = user;
    fetch->busy = true;
    ask_piece(fetch);
}

void record_fetch_release(struct record_fetch *fetch)
{
    buffer_release(&fetch->text);
}
