#include "online.h"
#include "pass_ask.h"
#include "when.h"
#include <base/program.h>
#include <cli/state.h>
#include <sodium.h>
#include <string.h>

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

/* What is known of the phrase that there is. */
struct phrase {
    bool is_there;
    bool is_asked;         /* the server wants to see it first */
    struct pass_text text; /* as it was given; "" before */
};

/* Of an account with a phrase or a passkey. Nothing can be typed while a connection waits, so the
 * run ends here, and the next one begins with what was typed. */
static void want_proof(struct online *online, const json_t *error)
{
    struct phrase *phrase = online->user;
    if (phrase->is_there && !*phrase->text.pass) {
        phrase->is_asked = true;
        online_stop(online, EXIT_REFUSED);
        return;
    }
    online_refused(online, error);
    if (!phrase->is_there)
        online_say(online, "There is no recovery phrase, and a terminal has no passkeys: the page "
                           "takes the passkey, and makes the phrase.");
}

static void on_phrase(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    char grouped[PASS_GROUPED];
    if (strcmp(state_text(error, "code"), "proof_needed") == 0) {
        want_proof(online, error);
        return;
    }
    const char *pass = online_pass(online, ok, error);
    if (!pass)
        return;
    if (!online->invocation->online.json) {
        pass_text_group(grouped, pass);
        puts(grouped);
        program_flush_output();
        sodium_memzero(grouped, sizeof grouped);
    }
    online_say(online, "Write it down: it is shown this once. Whoever has it plays as you. "
                       "`taluva enter` takes it, and so does the page, where one opens a link.");
    online_stop(online, EXIT_OK);
}

static void make_phrase(struct online *online)
{
    wire_client_request(online->client, request_make("phrase", NULL, NULL, NULL), on_phrase,
                        online);
}

/* A phrase that somebody keeps in a drawer must not become worthless unasked. */
static void on_devices(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    struct phrase *phrase = online->user;
    const struct phrase_options *options = online->invocation->options;
    const json_t *since = json_object_get(ok, "phrase");
    char day[WHEN_DAY];
    if (error) {
        online_refused(online, error);
        return;
    }
    phrase->is_there = since;
    if (!since || options->replace) {
        make_phrase(online);
        return;
    }
    when_day(day, json_integer_value(since));
    online_say(online,
               "There is a recovery phrase already, made on %s: --replace makes another one, and "
               "the former is good for nothing then.",
               day);
    online_stop(online, EXIT_USAGE);
}

static void on_proven(void *user, const json_t *ok, const json_t *error)
{
    (void)ok;
    if (error)
        online_refused(user, error);
    else
        make_phrase(user);
}

static void prove_pass(struct online *online, const char *pass)
{
    wire_client_request(online->client, request_make("prove", NULL, "pass", pass), on_proven,
                        online);
}

static void on_ready(struct online *online)
{
    const struct phrase *phrase = online->user;
    if (*phrase->text.pass)
        prove_pass(online, phrase->text.pass);
    else
        wire_client_request(online->client, request_make("devices", NULL, NULL, NULL), on_devices,
                            online);
}

static int ask_pass(const struct invocation *invocation, struct phrase *phrase)
{
    static const struct pass_question question = {
        .prompt = "The recovery phrase that is to be replaced (it is not shown): ",
        .again = "That is no phrase, or there is a slip in it. Once more: ",
        .none = "the recovery phrase that is to be replaced was not given",
        .unclear = "that is no recovery phrase, or there is a slip in it",
        .phrase_alone = true,
    };
    return pass_ask(invocation, &question, &phrase->text);
}

static int run_command(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = on_ready, .needs_session = true};
    struct phrase phrase = {.is_there = false};
    int status = online_run(invocation, &app, &phrase);
    if (phrase.is_asked)
        status = ask_pass(invocation, &phrase);
    if (phrase.is_asked && status == EXIT_OK)
        status = online_run(invocation, &app, &phrase);
    sodium_memzero(&phrase, sizeof phrase);
    return status;
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
        "could show again.\n\n"
        "Who has an account (`taluva claim`) shows the former first. It is typed at the terminal,\n"
        "where it is not shown, or read from the standard input:\n\n"
        "    taluva phrase --replace < FILE\n\n"
        "If there is a passkey and no phrase, the page alone can make one.",
    .online = true,
    .asks_once = true,
    .rows = rows,
    .options_size = sizeof(struct phrase_options),
    .run = run_command,
};
