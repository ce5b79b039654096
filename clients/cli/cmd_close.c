#include "online.h"
#include "pass_ask.h"
#include "when.h"
#include <cli/state.h>
#include <protocol/account.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

struct close_options {
    bool proves;
};

static const struct option_row rows[] = {
    {.name = "prove",
     .kind = OPTION_FLAG,
     .help = "ask for the recovery phrase first, which the server wants to see if there is one",
     .offset = offsetof(struct close_options, proves)},
    {.name = NULL},
};

/* ---- closing it */

struct closing {
    const char *handle;
    struct pass_text phrase; /* "": none was asked for */
};

static void say_when(struct online *online, const json_t *account)
{
    const json_int_t at_ms = json_integer_value(json_object_get(account, "closing"));
    char until[WHEN_MINUTE];
    when_minute(until, at_ms);
    online_say(online,
               "@%s is erased at %s, with all that is its own; nobody ever gets the handle. "
               "`taluva keep` takes that back until then.",
               state_text(account, "handle"), until);
}

static void on_closing(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    if (error) {
        online_refused(online, error);
        return;
    }
    say_when(online, json_object_get(ok, "account"));
    online_stop(online, EXIT_OK);
}

static void ask_to_close(struct online *online)
{
    const struct closing *closing = online->user;
    wire_client_request(online->client,
                        request_make("close_account", NULL, "handle", closing->handle), on_closing,
                        online);
}

static void on_proven(void *user, const json_t *ok, const json_t *error)
{
    (void)ok;
    if (error)
        online_refused(user, error);
    else
        ask_to_close(user);
}

static void ready_to_close(struct online *online)
{
    struct closing *closing = online->user;
    if (closing->phrase.pass[0])
        wire_client_request(online->client,
                            request_make("prove", NULL, "pass", closing->phrase.pass), on_proven,
                            online);
    else
        ask_to_close(online);
}

static int run_close(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = ready_to_close};
    const struct close_options *options = invocation->options;
    struct closing closing = {.handle = invocation->operands[0]};
    if (!handle_valid(closing.handle, strlen(closing.handle)))
        return command_complain(invocation, "%s is no handle", closing.handle);
    int status =
        options->proves ? pass_ask(invocation, &pass_question_phrase, &closing.phrase) : EXIT_OK;
    if (status == EXIT_OK)
        status = online_run(invocation, &app, &closing);
    sodium_memzero(&closing.phrase, sizeof closing.phrase);
    return status;
}

/* ---- keeping it */

static void on_kept(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    if (error) {
        online_refused(online, error);
        return;
    }
    online_say(online, "@%s stays yours.", state_text(json_object_get(ok, "account"), "handle"));
    online_stop(online, EXIT_OK);
}

static void ask_to_keep(struct online *online)
{
    const char *handle = online->user; /* NULL: one's own */
    wire_client_request(online->client, request_make("keep_account", NULL, "handle", handle),
                        on_kept, online);
}

static int run_keep(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = ask_to_keep};
    const char *handle = invocation->operand_count ? invocation->operands[0] : NULL;
    if (handle && !handle_valid(handle, strlen(handle)))
        return command_complain(invocation, "%s is no handle", handle);
    return online_run(invocation, &app, (void *)(uintptr_t)handle);
}

const struct command command_close = {
    .name = "close",
    .operands = "HANDLE",
    .summary = "Have your account erased, after some days",
    .details =
        "HANDLE is yours, typed once more, or a program's that you own. After seven days, or\n"
        "what the server says, the account is erased: name, handles, devices, passkeys, phrase,\n"
        "profile, the list of your matches, whom you have blocked. Until then nothing changes,\n"
        "and `taluva keep` (of a program's: with its HANDLE) takes it back. Nobody ever\n"
        "gets the handle, you neither. Matches stay, as they are your opponents' too; you are\n"
        "called `deleted` in them. `taluva export` prints all that the server has of you.\n"
        "Who has a recovery phrase shows it first: --prove.",
    .operands_min = 1,
    .operands_max = 1,
    .online = true,
    .asks_once = true,
    .rows = rows,
    .options_size = sizeof(struct close_options),
    .run = run_close,
};

const struct command command_keep = {
    .name = "keep",
    .operands = "[HANDLE]",
    .summary = "Keep an account that is to be erased",
    .details =
        "Takes `taluva close` back, as long as the account is there: your own, or HANDLE of a\n"
        "program's that you own.",
    .operands_max = 1,
    .online = true,
    .asks_once = true,
    .run = run_keep,
};
