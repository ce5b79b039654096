#include "handle_ask.h"
#include "online.h"
#include <cli/glyph.h>
#include <cli/state.h>
#include <stddef.h>
#include <stdio.h>

static int run_follow(const struct invocation *invocation)
{
    static const struct handle_ask ask = {.op = "follow", .said = "is followed."};
    return handle_ask_run(invocation, &ask);
}

static int run_unfollow(const struct invocation *invocation)
{
    static const struct handle_ask ask = {.op = "unfollow", .said = "is not followed any more."};
    return handle_ask_run(invocation, &ask);
}

/* ---- who is there */

struct friends_options {
    bool hide, show;
};

static const struct option_row rows[] = {
    {.name = "hide",
     .kind = OPTION_FLAG,
     .help = "nobody sees any more whether you are there",
     .offset = offsetof(struct friends_options, hide)},
    {.name = "show",
     .kind = OPTION_FLAG,
     .help = "your friends see it again",
     .offset = offsetof(struct friends_options, show)},
    {.name = NULL},
};

static void print_friend(const json_t *one)
{
    putchar('@');
    glyph_print_text(state_text(one, "handle"), stdout);
    if (json_is_true(json_object_get(one, "playing")))
        fputs("  plays", stdout);
    else if (json_is_true(json_object_get(one, "online")))
        fputs("  is there", stdout);
    if (*state_text(one, "room")) {
        fputs(": taluva watch ", stdout);
        glyph_print_text(state_text(one, "room"), stdout);
    }
    putchar('\n');
}

static void on_friends(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    const json_t *one;
    size_t at;
    if (error) {
        online_refused(online, error);
        return;
    }
    json_array_foreach(json_object_get(ok, "friends"), at, one) print_friend(one);
    if (json_array_size(json_object_get(ok, "friends")) == 0)
        online_say(online, "You follow nobody: taluva follow HANDLE.");
    if (json_is_true(json_object_get(ok, "hidden")))
        online_say(online, "Nobody sees whether you are there.");
    if (json_is_true(json_object_get(ok, "incomplete")))
        online_say(online, "Of some it is not known now whether they are there.");
    online_stop(online, EXIT_OK);
}

static void on_presence(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    const bool hidden = json_is_true(json_object_get(ok, "hidden"));
    if (error) {
        online_refused(online, error);
        return;
    }
    online_say(online, hidden ? "Nobody sees any more whether you are there."
                              : "Those who follow you, and whom you follow, see whether you are "
                                "there.");
    online_stop(online, EXIT_OK);
}

static void ask_friends(struct online *online)
{
    const struct friends_options *options = online->invocation->options;
    if (!options->hide && !options->show) {
        wire_client_request(online->client, request_make("friends", NULL, NULL, NULL), on_friends,
                            online);
        return;
    }
    json_t *request = request_make("presence", NULL, NULL, NULL);
    json_object_set_new(request, "hidden", json_boolean(options->hide));
    wire_client_request(online->client, request, on_presence, online);
}

static int run_friends(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = ask_friends};
    const struct friends_options *options = invocation->options;
    if (options->hide && options->show)
        return command_complain(invocation, "--hide or --show, not both");
    return online_run(invocation, &app, NULL);
}

const struct command command_follow = {
    .name = "follow",
    .operands = "HANDLE",
    .summary = "Follow somebody, to see them again",
    .details =
        "For who has an account (taluva claim): HANDLE is in your list (taluva friends), and is\n"
        "not told. Two who follow each other see of each other who is there. taluva unfollow\n"
        "takes it back. Whom you have played with lately: taluva games --people.",
    .operands_min = 1,
    .operands_max = 1,
    .online = true,
    .asks_once = true,
    .run = run_follow,
};

const struct command command_unfollow = {
    .name = "unfollow",
    .operands = "HANDLE",
    .summary = "Follow somebody no more",
    .details = "HANDLE, whom you follow (taluva follow), leaves your list.",
    .operands_min = 1,
    .operands_max = 1,
    .online = true,
    .asks_once = true,
    .run = run_unfollow,
};

const struct command command_friends = {
    .name = "friends",
    .operands = "",
    .summary = "List whom you follow, and who is there",
    .details =
        "The handles of all whom you follow (taluva follow), one a line, and of those who follow\n"
        "you too whether they are there. With --hide nobody sees that of you, on no device, until\n"
        "--show.",
    .online = true,
    .asks_once = true,
    .rows = rows,
    .options_size = sizeof(struct friends_options),
    .run = run_friends,
};
