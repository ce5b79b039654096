#include "online.h"
#include "pass_text.h"
#include "qr.h"
#include <base/program.h>
#include <cli/terminal.h>
#include <string.h>
#include <unistd.h>

struct link_options {
    bool ascii, no_color;
};

#define FIELD(name) offsetof(struct link_options, name)
static const struct option_row rows[] = {
    {.name = "ascii",
     .kind = OPTION_FLAG,
     .help = "draw the QR code with ASCII characters only",
     .offset = FIELD(ascii)},
    {.name = "no-color",
     .kind = OPTION_FLAG,
     .help = "draw it without colours, light on dark; so does the environment variable NO_COLOR",
     .offset = FIELD(no_color)},
    {.name = NULL},
};

static void print_qr(const struct link_options *options, const char *link)
{
    struct qr qr;
    const struct terminal terminal = terminal_look(options->ascii, options->no_color);
    if (!isatty(STDOUT_FILENO) || !qr_make(&qr, link))
        return;
    if (!qr_print(&qr, terminal.columns, terminal.ascii, terminal.colours, stdout))
        fputs("(The terminal is too narrow for the QR code.)\n", stdout);
}

static void on_link(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    const struct online_options *given = &online->invocation->online;
    const json_int_t *now_ms = online->user;
    const json_int_t until_ms = json_integer_value(json_object_get(ok, "until"));
    char link[PASS_LINK];
    const char *pass = online_pass(online, ok, error);
    if (!pass)
        return;
    pass_text_link(link, &online->url, pass);
    online_print_local(online, "link", json_pack("{s:s}", "url", link));
    if (!given->json) {
        puts(link);
        print_qr(online->invocation->options, link);
        program_flush_output();
    }
    online_say(online,
               "Good once, for %d minutes: whoever opens it first plays as you. In a terminal "
               "`taluva enter` takes it.",
               (int)((until_ms - *now_ms + 30000) / 60000));
    if (wire_url_is_local(&online->url))
        online_say(online,
                   "No other machine reaches a server at %s: where it has another address, "
                   "make the link with --server and that address.",
                   online->url.host);
    online_stop(online, EXIT_OK);
}

static void on_ready(struct online *online)
{
    json_int_t *now_ms = online->user;
    *now_ms = json_integer_value(json_object_get(online->hello, "time"));
    wire_client_request(online->client, request_make("link", NULL, NULL, NULL), on_link, online);
}

static int run_command(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = on_ready, .needs_session = true};
    json_int_t now_ms = 0;
    return online_run(invocation, &app, &now_ms);
}

const struct command command_link = {
    .name = "link",
    .operands = "",
    .summary = "Make a link that takes you along",
    .details =
        "Prints a link that opens your session, with its seats, on one more device: in a browser\n"
        "there, by the QR code that a terminal shows with it, or with `taluva enter`. It is good\n"
        "once and for ten minutes. Whoever opens it plays as you from then on, until\n"
        "`taluva devices end` ends that device. The link leads to the server as this program\n"
        "reaches it.",
    .online = true,
    .asks_once = true,
    .rows = rows,
    .options_size = sizeof(struct link_options),
    .run = run_command,
};
