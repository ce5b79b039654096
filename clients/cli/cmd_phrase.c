#include "online.h"
#include "pass_text.h"
#include "when.h"
#include <sodium.h>

struct phrase_options {
    bool replace;
};

static const struct option_row rows[] = {
    {.name = "replace",
     .kind = OPTION_FLAG,
     .help = "even if there is one already, which is then good for nothing any more",
     .offset = offsetof(struct phrase_options, replace)},
    {.name = NULL},
};

static void on_phrase(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    char grouped[PASS_GROUPED];
    const char *pass = online_pass(online, ok, error);
    if (!pass)
        return;
    if (!online->invocation->online.json) {
        pass_text_group(grouped, pass);
        puts(grouped);
        (void)fflush(stdout);
        sodium_memzero(grouped, sizeof grouped);
    }
    online_say(online, "Write it down: it is shown this once. Whoever has it plays as you. "
                       "`taluva enter` takes it, and so does the page, where one opens a link.");
    online_stop(online, EXIT_OK);
}

static void make(struct online *online)
{
    wire_client_request(online->client, request_make("phrase", NULL, NULL, NULL), on_phrase,
                        online);
}

/* A phrase that somebody keeps in a drawer must not become worthless unasked. */
static void on_devices(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    const json_t *since = json_object_get(ok, "phrase");
    char day[WHEN_DAY];
    if (error) {
        online_refused(online, error);
        return;
    }
    if (!since) {
        make(online);
        return;
    }
    when_day(day, json_integer_value(since));
    online_say(online,
               "There is a recovery phrase already, made on %s: --replace makes another one, and "
               "the former is good for nothing then.",
               day);
    online_stop(online, EXIT_USAGE);
}

static void ready(struct online *online)
{
    const struct phrase_options *options = online->invocation->options;
    if (options->replace)
        make(online);
    else
        wire_client_request(online->client, request_make("devices", NULL, NULL, NULL), on_devices,
                            online);
}

static int run(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = ready, .needs_session = true};
    return online_run(invocation, &app, NULL);
}

const struct command command_phrase = {
    .name = "phrase",
    .operands = "",
    .summary = "Make a recovery phrase",
    .details =
        "Prints a recovery phrase, 28 letters and digits to be written down. It opens your\n"
        "session on a new device (`taluva enter`, or the page) when all the others are lost, at\n"
        "any time and as often as you like. There is one at a time: another one takes the place\n"
        "of the former, so it is made with --replace alone. The server keeps no copy that it\n"
        "could show again.",
    .online = true,
    .asks_once = true,
    .rows = rows,
    .options_size = sizeof(struct phrase_options),
    .run = run,
};
