#include "lobby.h"
#include "online.h"
#include <cli/glyph.h>
#include <string.h>

enum { ROOMS_MAX = 1000 };

struct listing {
    struct online *online;
    json_t *mine; /* the rooms in which this profile's session has a seat; NULL: none */
    int count;
    bool incomplete; /* the server has left some out */
};

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static bool is_acting(const json_t *room, json_int_t seat)
{
    size_t i;
    json_t *acting;
    json_array_foreach(json_object_get(room, "acting"), i, acting)
    {
        if (json_integer_value(acting) == seat)
            return true;
    }
    return false;
}

/* Of a room in which the asking session has a seat: whose turn it is. */
static void print_turn(const json_t *room)
{
    char key[24];
    const json_t *seat = json_object_get(room, "seat"),
                 *first = json_array_get(json_object_get(room, "acting"), 0);
    if (!seat)
        return;
    if (!first) {
        fputs("  (you sit here)", stdout);
    } else if (is_acting(room, json_integer_value(seat))) {
        fputs("  (your turn)", stdout);
    } else {
        (void)snprintf(key, sizeof key, "%d", (int)json_integer_value(first));
        fputs("  (you wait for ", stdout);
        glyph_print_text(text_of(json_object_get(json_object_get(room, "seats"), key), "name"),
                         stdout);
        putchar(')');
    }
}

static bool is_listed(const json_t *rooms, const char *id)
{
    size_t i;
    json_t *room;
    json_array_foreach(rooms, i, room)
    {
        if (strcmp(text_of(room, "room"), id) == 0)
            return true;
    }
    return false;
}

static void print_room(const json_t *room)
{
    const char *seat, *title = text_of(room, "title");
    json_t *taken, *seats = json_object_get(room, "seats");
    const struct game *game = games_find(text_of(room, "game"));
    printf("%s  %-7s %zu/%d ", text_of(room, "room"), text_of(room, "phase"),
           json_object_size(seats), (int)json_integer_value(json_object_get(room, "size")));
    glyph_print_text(text_of(room, "game"), stdout);
    if (game) {
        fputs(": ", stdout);
        game->options_print(json_object_get(room, "options"), stdout);
    }
    if (strcmp(text_of(json_object_get(room, "clock"), "kind"), "none") != 0) {
        fputs(", ", stdout);
        clock_print(json_object_get(room, "clock"), stdout);
    }
    if (json_is_true(json_object_get(room, "hints")))
        fputs(", hints", stdout);
    if (*title) {
        fputs("  \"", stdout);
        glyph_print_text(title, stdout);
        fputc('"', stdout);
    }
    json_object_foreach(seats, seat, taken)
    {
        fputs("  ", stdout);
        glyph_print_text(text_of(taken, "name"), stdout);
    }
    print_turn(room);
    if (json_object_get(room, "away"))
        fputs("  (all are away)", stdout);
    putchar('\n');
}

static void ask_page(struct listing *listing, const char *after);

static void on_rooms(void *user, const json_t *ok, const json_t *error)
{
    struct listing *listing = user;
    const json_t *rooms = json_object_get(ok, "rooms");
    size_t count = json_array_size(rooms);
    bool silent = listing->online->invocation->online.json;
    if (error) {
        online_refused(listing->online, error);
        return;
    }
    if (json_object_get(ok, "mine")) /* on the first page */
        listing->mine = json_incref(json_object_get(ok, "mine"));
    for (size_t i = 0; i < json_array_size(json_object_get(ok, "mine")) && !silent; i++)
        print_room(json_array_get(listing->mine, i));
    for (size_t i = 0; i < count && !silent; i++) {
        if (!is_listed(listing->mine, text_of(json_array_get(rooms, i), "room")))
            print_room(json_array_get(rooms, i));
    }
    listing->count += (int)count;
    listing->incomplete = listing->incomplete || json_is_true(json_object_get(ok, "incomplete"));
    if (json_is_true(json_object_get(ok, "more")) && count > 0 && listing->count < ROOMS_MAX) {
        ask_page(listing, text_of(json_array_get(rooms, count - 1), "room"));
        return;
    }
    if (listing->incomplete)
        online_say(listing->online, "Some rooms cannot be seen at the moment; ask again soon.");
    else if (listing->count == 0 && !listing->mine)
        online_say(listing->online, "There is no open room; `taluva create` makes one.");
    online_stop(listing->online, EXIT_OK);
}

static void ask_page(struct listing *listing, const char *after)
{
    json_t *request = request_make("rooms", NULL, "after", after);
    wire_client_request(listing->online->client, request, on_rooms, listing);
}

static void on_ready(struct online *online)
{
    struct listing *listing = online->user;
    listing->online = online;
    ask_page(listing, NULL);
}

static int run_command(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = on_ready};
    struct listing listing = {0};
    int status = online_run(invocation, &app, &listing);
    json_decref(listing.mine);
    return status;
}

const struct command command_rooms = {
    .name = "rooms",
    .operands = "",
    .summary = "List the open rooms",
    .details =
        "One line for each room that anybody may join or watch: its name, whether it has\n"
        "begun, how many of its seats are taken, what is played, title and players.\n"
        "Rooms in which you sit come first, also those by invitation, with whose turn it is.",
    .online = true,
    .asks_once = true,
    .run = run_command,
};
