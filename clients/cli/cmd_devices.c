#include "online.h"
#include "when.h"
#include <cli/glyph.h>
#include <cli/state.h>
#include <protocol/encoding.h>
#include <string.h>

struct devices_options {
    bool force;
};

static const struct option_row rows[] = {
    {.name = "force",
     .kind = OPTION_FLAG,
     .help = "end the last device too, when nobody could play on as this player then",
     .offset = offsetof(struct devices_options, force)},
    {.name = NULL},
};

enum action { ACTION_LIST, ACTION_END, ACTION_RENAME };
static const char *const actions[] = {"end", "rename", NULL};

struct devices {
    enum action action;
    const char *device; /* as it was given: a number, or THIS */
    const char *name;   /* the new one */
    char id[PROTOCOL_DEVICE_BYTES + 1];
    bool own; /* it is the one that asks */
    int64_t now_ms;
};

static const char THIS[] = "this";

/* ---- the list */

static void print_device(const json_t *device, int name_columns, int64_t now_ms)
{
    const char *name = state_text(device, "name");
    char ago[WHEN_AGO];
    const int64_t seen_ms = json_integer_value(json_object_get(device, "seen"));
    name = *name ? name : "(no name)";
    glyph_print_text(state_text(device, "device"), stdout);
    fputs("  ", stdout);
    glyph_print_text(name, stdout);
    printf("%*s", name_columns - glyph_columns(name) + 2, "");
    when_ago(ago, now_ms - seen_ms);
    if (json_is_true(json_object_get(device, "this")))
        puts("this one");
    else if (json_is_true(json_object_get(device, "online")))
        puts("connected");
    else
        printf("seen %s\n", ago);
}

static void print_list(const struct online *online, const json_t *ok)
{
    const struct devices *devices = online->user;
    const json_t *phrase = json_object_get(ok, "phrase");
    char day[WHEN_DAY];
    int columns = 9;
    size_t i;
    json_t *device;
    if (online->invocation->online.json)
        return; /* the replies were printed already */
    json_array_foreach(json_object_get(ok, "devices"), i, device)
    {
        const int own = glyph_columns(state_text(device, "name"));
        columns = own > columns ? own : columns;
    }
    json_array_foreach(json_object_get(ok, "devices"), i, device)
        print_device(device, columns, devices->now_ms);
    when_day(day, json_integer_value(phrase));
    if (phrase)
        printf("There is a recovery phrase, made on %s.\n", day);
    else
        puts("There is no recovery phrase; `taluva phrase` makes one.");
}

/* ---- ending and renaming */

static void on_ended(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    const struct devices *devices = online->user;
    if (error) {
        online_refused(online, error);
        return;
    }
    if (devices->own) {
        profile_forget(&online->profile);
        online_say(online, "This device is ended, and its session is forgotten here.");
    } else {
        print_list(online, ok);
    }
    if (json_object_get(ok, "phrase"))
        online_say(online, "The recovery phrase stays good. If somebody else may know it, make "
                           "another one: taluva phrase --replace");
    online_stop(online, EXIT_OK);
}

static void on_renamed(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    (void)ok;
    if (error)
        online_refused(online, error);
    else
        online_stop(online, EXIT_OK);
}

static void ask_change(struct online *online, const char *op, wire_reply_fn *reply)
{
    const struct devices *devices = online->user;
    json_t *request = request_make(op, NULL, "device", devices->id);
    if (devices->name)
        json_object_set_new(request, "name", json_string(devices->name));
    wire_client_request(online->client, request, reply, online);
}

static bool is_named(const struct devices *devices, const json_t *device)
{
    return strcmp(devices->device, THIS) == 0
               ? json_is_true(json_object_get(device, "this"))
               : strcmp(devices->device, state_text(device, "device")) == 0;
}

/* Which one was meant. False: none of them. */
static bool find_named(struct devices *devices, const json_t *ok)
{
    size_t i;
    json_t *device;
    json_array_foreach(json_object_get(ok, "devices"), i, device)
    {
        const char *id = state_text(device, "device");
        if (!is_named(devices, device) || !device_valid(id, strlen(id)))
            continue;
        memcpy(devices->id, id, sizeof devices->id);
        devices->own = json_is_true(json_object_get(device, "this"));
        return true;
    }
    return false;
}

static bool is_last_way(const json_t *ok)
{
    return json_array_size(json_object_get(ok, "devices")) < 2 && !json_object_get(ok, "phrase");
}

static void act_on_device(struct online *online, const json_t *ok)
{
    struct devices *devices = online->user;
    const struct devices_options *options = online->invocation->options;
    if (!find_named(devices, ok)) {
        online_stop(online, command_complain(online->invocation, "there is no such device"));
    } else if (devices->action == ACTION_RENAME) {
        ask_change(online, "rename", on_renamed);
    } else if (is_last_way(ok) && !options->force) {
        online_say(online, "This is the last device, and there is no recovery phrase: nobody could "
                           "play on as this player. --force ends it all the same.");
        online_stop(online, EXIT_USAGE);
    } else {
        ask_change(online, "forget", on_ended);
    }
}

static void on_devices(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    const struct devices *devices = online->user;
    if (error) {
        online_refused(online, error);
    } else if (devices->action != ACTION_LIST) {
        act_on_device(online, ok);
    } else {
        print_list(online, ok);
        online_stop(online, EXIT_OK);
    }
}

static void on_ready(struct online *online)
{
    struct devices *devices = online->user;
    devices->now_ms = json_integer_value(json_object_get(online->hello, "time"));
    wire_client_request(online->client, request_make("devices", NULL, NULL, NULL), on_devices,
                        online);
}

/* ---- the command line */

/* NULL: fine. */
static const char *read_operands(const struct invocation *invocation, struct devices *devices)
{
    char **operands = invocation->operands;
    const int count = invocation->operand_count;
    if (count == 0)
        return NULL;
    if (strcmp(operands[0], actions[0]) == 0)
        devices->action = ACTION_END;
    else if (strcmp(operands[0], actions[1]) == 0)
        devices->action = ACTION_RENAME;
    else
        return "nothing, `end DEVICE` or `rename DEVICE NAME` is what can follow";
    if (count != (devices->action == ACTION_END ? 2 : 3))
        return devices->action == ACTION_END ? "one device follows `end`"
                                             : "a device and its new name follow `rename`";
    devices->device = operands[1];
    devices->name = count == 3 ? operands[2] : NULL;
    if (strcmp(devices->device, THIS) == 0 ||
        device_valid(devices->device, strlen(devices->device)))
        return NULL;
    return "a device is called by its eight digits in the list, or `this`";
}

static int run_command(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = on_ready, .needs_session = true};
    struct devices devices = {.action = ACTION_LIST};
    const char *problem = read_operands(invocation, &devices);
    if (problem)
        return command_complain(invocation, "%s", problem);
    return online_run(invocation, &app, &devices);
}

const struct command command_devices = {
    .name = "devices",
    .operands = "[ACTION]",
    .words = actions,
    .summary = "List your devices, end or rename one",
    .details =
        "Without more: the devices on which your session is used, the oldest first, and whether\n"
        "there is a recovery phrase.\n\n"
        "    taluva devices end DEVICE\n"
        "    taluva devices rename DEVICE NAME\n\n"
        "DEVICE is the number in front of it, or `this`. One that is ended is out at once: it\n"
        "cannot play for you any more, and links that are still open end too. A recovery phrase\n"
        "stays good, whichever device made it: `taluva phrase --replace` ends it.",
    .operands_max = 3,
    .online = true,
    .asks_once = true,
    .rows = rows,
    .options_size = sizeof(struct devices_options),
    .run = run_command,
};
