#include "play_seek.h"

#include <cli/state.h>
#include <string.h>

/* A seek holds for two minutes; and how long a server may take to hear that it ends. */
enum { AGAIN_MS = 50 * 1000, LEAVE_MS = 3000 };

static struct {
    struct online *online; /* NULL: nothing was sought */
    json_t *request;
    seek_found_fn *found;
    seek_lost_fn *lost;
    uv_timer_t timer;
    bool seeks, leaves, full;
    int exit_code;
} seeking;

/* ---- saying it */

static void on_answer(void *user, const json_t *ok, const json_t *error)
{
    (void)ok;
    if (!error || !seeking.seeks)
        return;
    seeking.seeks = false;
    uv_timer_stop(&seeking.timer);
    seeking.found(user, NULL, error);
}

static void say(void)
{
    if (wire_client_request(seeking.online->client, json_incref(seeking.request), on_answer,
                            seeking.online) < 0)
        online_stop(seeking.online, EXIT_NETWORK);
}

/* Without a connection the one before goes out again by itself. */
static void on_again(uv_timer_t *timer)
{
    (void)timer;
    if (wire_client_is_online(seeking.online->client))
        say();
}

/* Two on one device are not put together, nor rated if they name each other. */
static void add_device(struct online *online, json_t *request)
{
    char device[PROTOCOL_DEVICE_BYTES + 1];
    if (profile_device(&online->profile, device))
        (void)json_object_set_new(request, "device", json_string(device));
}

void seek_begin(struct online *online, json_t *request, seek_found_fn *found, seek_lost_fn *lost)
{
    if (!seeking.online)
        uv_timer_init(&online->loop, &seeking.timer);
    add_device(online, request);
    seeking.online = online;
    seeking.request = request;
    seeking.found = found;
    seeking.lost = lost;
    seeking.seeks = true;
    uv_timer_start(&seeking.timer, on_again, AGAIN_MS, AGAIN_MS);
    say();
}

/* Once: it is said again all the same. */
static void hear_full(const char *words)
{
    if (seeking.seeks && !seeking.full)
        online_say(seeking.online, "%s; there is no place for you yet.", words);
    seeking.full = true;
}

static void seek_on(void)
{
    seeking.seeks = true;
    seeking.lost();
    uv_timer_start(&seeking.timer, on_again, AGAIN_MS, AGAIN_MS);
    online_say(seeking.online, "Not everybody has come; looking for others again.");
}

static void give_up(void)
{
    online_say(seeking.online, "The others have waited for you, and have gone.");
    online_stop(seeking.online, EXIT_REFUSED);
}

static void end_playing(void)
{
    online_say(seeking.online, "You play in another match. Seek again when you are out of it.");
    online_stop(seeking.online, EXIT_REFUSED);
}

/* Of each class that is looked for; after a minute and a half it is anybody, or as --range says. */
static void say_windows(json_t *windows)
{
    const char *class;
    json_t *window;
    const json_int_t range =
        json_integer_value(json_object_get(json_object_get(seeking.request, "options"), "range"));
    json_object_foreach(windows, class, window)
    {
        const json_int_t rated = json_integer_value(json_array_get(window, 0));
        const json_int_t within = json_integer_value(json_array_get(window, 1));
        const json_int_t from = rated > within ? rated - within : 0;
        online_say(seeking.online, "%s: rated %lld to %lld, and %s.", class, (long long)from,
                   (long long)(rated + within),
                   within == range ? "nobody else" : "more with each second");
    }
}

static void hear_state(const char *state)
{
    if (strcmp(state, "full") == 0)
        hear_full("Very many look for others");
    else if (strcmp(state, "crowd") == 0)
        hear_full("Several look for others from your address");
    else if (strcmp(state, "playing") == 0 && !seeking.leaves)
        end_playing();
    else if (strcmp(state, "again") == 0 && !seeking.leaves)
        seek_on();
    else if (strcmp(state, "ended") == 0 && !seeking.leaves)
        give_up();
}

/* Why a match of two who have chosen each other is not rated; it is found all the same. */
static void say_unrated(const char *why)
{
    static const char *const words[][2] = {
        {"address", "you both come from one address"},
        {"device", "you both play on one device"},
        {"young", "one of your accounts is not a day old"},
        {"often", "you two have met too often lately"},
        {"book", "the book of ratings of this site is full"},
        {"computers", "computers have taken the seats that were missing"},
        {"newcomers", "one of you is new, and the other has met several who are"},
    };
    for (size_t at = 0; at < sizeof words / sizeof words[0]; at++) {
        if (strcmp(words[at][0], why) == 0)
            online_say(seeking.online, "This match is not rated: %s.", words[at][1]);
    }
}

void seek_hear(const json_t *push)
{
    const char *room = state_text(push, "room");
    if (seeking.online && strcmp(state_text(push, "push"), "seeking") == 0)
        hear_state(state_text(push, "state"));
    if (seeking.seeks && strcmp(state_text(push, "push"), "seeking") == 0)
        say_windows(json_object_get(push, "windows"));
    if (!seeking.seeks || strcmp(state_text(push, "push"), "found") != 0 ||
        strlen(room) != PROTOCOL_ROOM_BYTES)
        return;
    seeking.seeks = false;
    uv_timer_stop(&seeking.timer);
    say_unrated(state_text(push, "unrated"));
    seeking.found(seeking.online, room, NULL);
}

/* ---- ending */

static void on_left(void *user, const json_t *ok, const json_t *error)
{
    (void)ok;
    (void)error;
    online_stop(user, seeking.exit_code);
}

static void on_patience(uv_timer_t *timer)
{
    (void)timer;
    online_stop(seeking.online, seeking.exit_code);
}

bool seek_leaves(int exit_code)
{
    if (!seeking.seeks || seeking.leaves || !wire_client_is_online(seeking.online->client))
        return false;
    json_t *request = request_make("unseek", NULL, NULL, NULL);
    seeking.seeks = false;
    seeking.leaves = true;
    seeking.exit_code = exit_code;
    uv_timer_start(&seeking.timer, on_patience, LEAVE_MS, 0);
    return wire_client_request(seeking.online->client, request, on_left, seeking.online) >= 0;
}

void seek_end(void)
{
    if (seeking.online)
        uv_close((uv_handle_t *)&seeking.timer, NULL);
    seeking.online = NULL;
}
