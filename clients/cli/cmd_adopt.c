#include "online.h"
#include "pass_ask.h"
#include <cli/state.h>
#include <sodium.h>
#include <string.h>

/* ---- a guest that becomes an account's */

static void on_asked(void *user, const json_t *ok, const json_t *error)
{
    (void)ok;
    if (error)
        online_refused(user, error);
    else
        online_say(user, "It is on its way.");
}

static void ask_to_adopt(struct online *online)
{
    const struct pass_text *text = online->user;
    wire_client_request(online->client, request_make("adopt", NULL, "pass", text->pass), on_asked,
                        online);
}

static const char *why_not(const char *code)
{
    if (strcmp(code, "already_account") == 0)
        return "that is no guest, but an account already";
    if (strcmp(code, "already_seated") == 0)
        return "you have both been at a table that is not over yet; try again after that";
    if (strcmp(code, "banned") == 0)
        return "that guest is banned, or may not speak";
    if (strcmp(code, "slow_down") == 0)
        return "somebody else is taking it over";
    return "nobody has this link, or not any more";
}

static void on_push(struct online *online, const struct wire_room *room, const json_t *push)
{
    const char *refused = state_text(push, "refused");
    (void)room;
    if (strcmp(state_text(push, "push"), "adopted") != 0)
        return;
    if (refused[0])
        online_say(online, "Nothing has changed: %s.", why_not(refused));
    else
        online_say(online, "What you played there is yours now; the guest is nobody's any more.");
    online_stop(online, refused[0] ? EXIT_REFUSED : EXIT_OK);
}

static int run_adopt(const struct invocation *invocation)
{
    static const struct online_app app = {
        .needs_session = true, .ready = ask_to_adopt, .push = on_push};
    static const struct pass_question question = {
        .prompt = "Link of the other device (it is not shown): ",
        .again = "That is none, or there is a slip in it. Once more: ",
        .none = "no link was given",
        .unclear = "that is no link, or there is a slip in it",
    };
    struct pass_text text;
    int status = pass_ask(invocation, &question, &text);
    if (status == EXIT_OK)
        status = online_run(invocation, &app, &text);
    sodium_memzero(&text, sizeof text);
    return status;
}

const struct command command_adopt = {
    .name = "adopt",
    .operands = "",
    .summary = "Take over what you played as a guest elsewhere",
    .details =
        "Takes a link that the other device has made (`taluva link`, or the page) while it has\n"
        "no account. Its seats, tables and finished matches become your account's, and the\n"
        "guest is nobody's any more: to go on there, `taluva link` here and `taluva enter`\n"
        "there. The link is typed at the terminal, where it is not shown, or read from the\n"
        "standard input.",
    .online = true,
    .asks_once = true,
    .run = run_adopt,
};

/* ---- signing in elsewhere no more */

static void on_dropped(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    (void)ok;
    if (error) {
        online_refused(online, error);
        return;
    }
    online_say(online, "Who signs in there is not you any more. The phrase is the way in.");
    online_stop(online, EXIT_OK);
}

static void on_proven(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    (void)ok;
    if (error)
        online_refused(online, error);
    else
        wire_client_request(online->client, request_make("sign_in_drop", NULL, NULL, NULL),
                            on_dropped, online);
}

static void prove_first(struct online *online)
{
    const struct pass_text *phrase = online->user;
    wire_client_request(online->client, request_make("prove", NULL, "pass", phrase->pass),
                        on_proven, online);
}

static int run_unlink(const struct invocation *invocation)
{
    static const struct online_app app = {.needs_session = true, .ready = prove_first};
    struct pass_text phrase;
    int status = pass_ask(invocation, &pass_question_phrase, &phrase);
    if (status == EXIT_OK)
        status = online_run(invocation, &app, &phrase);
    sodium_memzero(&phrase, sizeof phrase);
    return status;
}

const struct command command_unlink = {
    .name = "unlink",
    .operands = "",
    .summary = "Sign in elsewhere no more",
    .details =
        "On a server where people sign in elsewhere, the page has made that a way into your\n"
        "account. This takes it away again, and leaves you the recovery phrase (`taluva\n"
        "phrase`), which is asked for first; your handle and all else stay. Whoever signs in\n"
        "there after that is somebody new.",
    .online = true,
    .asks_once = true,
    .run = run_unlink,
};
