#include "online.h"
#include "pass_ask.h"
#include "when.h"
#include <base/program.h>
#include <cli/glyph.h>
#include <cli/state.h>
#include <protocol/account.h>
#include <protocol/encoding.h>
#include <protocol/scope.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

/* ---- what all of them take */

struct token_options {
    const char *bot; /* NULL: of one's own account */
    const char *scope;
    int64_t days;
    bool proves;
};

#define BOT_ROW                                                                                    \
    {                                                                                              \
        .name = "bot", .kind = OPTION_TEXT, .value = "HANDLE",                                     \
        .help = "of this account of a program, which you own; else of your own",                   \
        .offset = offsetof(struct token_options, bot)                                              \
    }

static bool names_bot(const struct token_options *options)
{
    return !options->bot || handle_valid(options->bot, strlen(options->bot));
}

/* ---- which there are */

static void print_token(const json_t *token)
{
    char until[WHEN_DAY];
    when_day(until, json_integer_value(json_object_get(token, "until")));
    glyph_print_text(state_text(token, "key"), stdout);
    (void)printf("  until %s  ", until);
    glyph_print_text(state_text(token, "scope"), stdout);
    (void)fputs("  ", stdout);
    glyph_print_text(state_text(token, "name"), stdout);
    putchar('\n');
}

static void on_tokens(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    const json_t *token;
    size_t at;
    if (error) {
        online_refused(online, error);
        return;
    }
    json_array_foreach(json_object_get(ok, "tokens"), at, token)
    {
        if (!online->invocation->online.json)
            print_token(token);
    }
    online_stop(online, EXIT_OK);
}

static void ask_tokens(struct online *online)
{
    const struct token_options *options = online->invocation->options;
    wire_client_request(online->client, request_make("tokens", NULL, "handle", options->bot),
                        on_tokens, online);
}

static int run_tokens(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = ask_tokens};
    if (!names_bot(invocation->options))
        return command_complain(invocation, "--bot takes a handle");
    return online_run(invocation, &app, NULL);
}

/* ---- one more */

struct making {
    const char *name;
    struct pass_text phrase; /* "": none was asked for */
};

static void on_made(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    if (error) {
        online_refused(online, error);
        return;
    }
    if (!online->invocation->online.json) {
        glyph_print_text(state_text(ok, "token"), stdout);
        putchar('\n');
        program_flush_output();
    }
    online_say(online, "It is shown this once. A program that has it in TALUVA_TOKEN does what it "
                       "is for; `taluva revoke` ends it.");
    online_stop(online, EXIT_OK);
}

static void ask_to_make(struct online *online)
{
    const struct making *making = online->user;
    const struct token_options *options = online->invocation->options;
    json_t *request = request_make("token_add", NULL, "name", making->name);
    json_object_set_new(request, "scope", json_string(options->scope));
    json_object_set_new(request, "days", json_integer(options->days));
    if (options->bot)
        json_object_set_new(request, "handle", json_string(options->bot));
    wire_client_request(online->client, request, on_made, online);
}

static void on_proven(void *user, const json_t *ok, const json_t *error)
{
    (void)ok;
    if (error)
        online_refused(user, error);
    else
        ask_to_make(user);
}

static void ready_to_make(struct online *online)
{
    struct making *making = online->user;
    if (making->phrase.pass[0])
        wire_client_request(online->client,
                            request_make("prove", NULL, "pass", making->phrase.pass), on_proven,
                            online);
    else
        ask_to_make(online);
}

static int run_token(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = ready_to_make};
    const struct token_options *options = invocation->options;
    struct making making = {.name = invocation->operands[0]};
    unsigned scopes;
    if (!names_bot(options))
        return command_complain(invocation, "--bot takes a handle");
    if (!options->scope || !scopes_read(&scopes, options->scope, strlen(options->scope)))
        return command_complain(invocation, "--scope takes words of play, room, games, people");
    int status =
        options->proves ? pass_ask(invocation, &pass_question_phrase, &making.phrase) : EXIT_OK;
    if (status == EXIT_OK)
        status = online_run(invocation, &app, &making);
    sodium_memzero(&making.phrase, sizeof making.phrase);
    return status;
}

/* ---- one less */

static void on_ended(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    (void)ok;
    if (error) {
        online_refused(online, error);
        return;
    }
    online_say(online, "It opens nothing any more.");
    online_stop(online, EXIT_OK);
}

static void ask_to_end(struct online *online)
{
    const struct token_options *options = online->invocation->options;
    json_t *request = request_make("token_drop", NULL, "key", online->user);
    if (options->bot)
        json_object_set_new(request, "handle", json_string(options->bot));
    wire_client_request(online->client, request, on_ended, online);
}

static int run_revoke(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = ask_to_end};
    const char *key = invocation->operands[0];
    if (!device_valid(key, strlen(key)))
        return command_complain(invocation, "KEY has eight digits: `taluva tokens` shows it");
    if (!names_bot(invocation->options))
        return command_complain(invocation, "--bot takes a handle");
    return online_run(invocation, &app, (void *)(uintptr_t)key);
}

/* ---- accounts of programs */

static void on_bots(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    const json_t *bot;
    size_t at;
    if (error) {
        online_refused(online, error);
        return;
    }
    json_array_foreach(json_object_get(ok, "bots"), at, bot)
    {
        if (online->invocation->online.json)
            continue;
        putchar('@');
        glyph_print_text(json_is_string(bot) ? json_string_value(bot) : "", stdout);
        putchar('\n');
    }
    online_stop(online, EXIT_OK);
}

static void ask_bots(struct online *online)
{
    const char *handle = online->user;
    wire_client_request(online->client,
                        request_make(handle ? "bot_account" : "bots", NULL, "handle", handle),
                        on_bots, online);
}

static int run_bots(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = ask_bots};
    const char *handle = invocation->operand_count ? invocation->operands[0] : NULL;
    if (handle && !handle_valid(handle, strlen(handle)))
        return command_complain(invocation, "%s is no handle", handle);
    return online_run(invocation, &app, (void *)(uintptr_t)handle);
}

/* ---- the commands */

static const struct option_row list_rows[] = {BOT_ROW, {.name = NULL}};

static const struct option_row make_rows[] = {
    {.name = "scope",
     .kind = OPTION_TEXT,
     .value = "WORDS",
     .help = "what it is for, words of: play room games people",
     .offset = offsetof(struct token_options, scope)},
    {.name = "days",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "for how many days it is good (90)",
     .offset = offsetof(struct token_options, days),
     .min = 1,
     .max = PROTOCOL_TOKEN_DAYS_MAX,
     .initial = 90},
    BOT_ROW,
    {.name = "prove",
     .kind = OPTION_FLAG,
     .help = "ask for the recovery phrase first, which the server wants to see if there is one",
     .offset = offsetof(struct token_options, proves)},
    {.name = NULL},
};

const struct command command_bots = {
    .name = "bots",
    .operands = "[HANDLE]",
    .summary = "List the accounts of your programs, or make one",
    .details =
        "The handles of the accounts that you own for programs, one a line. With HANDLE, which\n"
        "ends with -bot, one more is made: whatever sits at a table by it is shown under that\n"
        "handle. Programs enter by tokens alone (taluva token NAME --bot HANDLE); `taluva close\n"
        "HANDLE` has it erased.",
    .operands_max = 1,
    .online = true,
    .asks_once = true,
    .run = run_bots,
};

const struct command command_token = {
    .name = "token",
    .operands = "NAME",
    .summary = "Make a token for a program",
    .details = "Prints a token, once; NAME is for you to know it by. Whoever has it may do what\n"
               "--scope says, until it is over or ended: a program that finds it in the variable\n"
               "TALUVA_TOKEN, such as `taluva bot`, or says hello with it.",
    .operands_min = 1,
    .operands_max = 1,
    .online = true,
    .asks_once = true,
    .rows = make_rows,
    .options_size = sizeof(struct token_options),
    .run = run_token,
};

const struct command command_tokens = {
    .name = "tokens",
    .operands = "",
    .summary = "List the tokens of your programs",
    .details = "Of each its key, until when it is good, what it is for, and its name.",
    .online = true,
    .asks_once = true,
    .rows = list_rows,
    .options_size = sizeof(struct token_options),
    .run = run_tokens,
};

const struct command command_revoke = {
    .name = "revoke",
    .operands = "KEY",
    .summary = "End a token of a program",
    .details = "KEY is what `taluva tokens` shows. Whatever is connected by it is sent away.",
    .operands_min = 1,
    .operands_max = 1,
    .online = true,
    .asks_once = true,
    .rows = list_rows,
    .options_size = sizeof(struct token_options),
    .run = run_revoke,
};
