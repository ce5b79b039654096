#include "online.h"
#include "when.h"
#include <cli/glyph.h>
#include <cli/state.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct chat_options {
    bool once;
    int64_t drop, report;
    const char *why, *lang;
};

#define LINES_END INT64_C(9007199254740991) /* no line has a larger number */

static const char *const langs[] = {"en", "de", "es", "fr", "it", "ja", "pl", "zh", NULL};

static const struct option_row rows[] = {
    {.name = "once",
     .kind = OPTION_FLAG,
     .help = "end when the last lines are printed",
     .offset = offsetof(struct chat_options, once)},
    {.name = "drop",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "take away a line of yours; a moderator, anybody's",
     .offset = offsetof(struct chat_options, drop),
     .min = 0,
     .max = LINES_END},
    {.name = "report",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "report a line to those who look after the server; TEXT is why, in a few words",
     .offset = offsetof(struct chat_options, report),
     .min = 0,
     .max = LINES_END},
    {.name = "why",
     .kind = OPTION_TEXT,
     .value = "WORD",
     .help = "with --report: talk, name, cheating, stalling or other [talk]",
     .offset = offsetof(struct chat_options, why)},
    {.name = "lang",
     .kind = OPTION_WORD,
     .value = "WORD",
     .help = "in which room: en, de, es, fr, it, ja, pl or zh [en]",
     .offset = offsetof(struct chat_options, lang),
     .words = langs},
    {.name = NULL},
};

struct chatting {
    uv_timer_t again;
    bool begun;
    int64_t have; /* below 0: nothing yet */
};

static int64_t number_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

/* ---- what is said */

static void print_who(const json_t *line)
{
    if (json_is_true(json_object_get(line, "operator"))) {
        fputs("the operator", stdout);
        return;
    }
    putchar('@');
    glyph_print_text(state_text(line, "handle"), stdout);
    fputs(" (", stdout);
    glyph_print_text(state_text(line, "name"), stdout);
    putchar(')');
}

/* "1790000061042  2026-11-20 18:00  @bo-1 (Bo): Anybody for four players?" */
static void print_line(const json_t *line)
{
    char when[WHEN_MINUTE];
    when_minute(when, number_of(line, "at"));
    printf("%" PRId64 "  %s  ", number_of(line, "line"), when);
    print_who(line);
    fputs(": ", stdout);
    glyph_print_text(state_text(line, "text"), stdout);
    putchar('\n');
}

static void print_news(const json_t *ok)
{
    const json_t *one;
    size_t at;
    json_array_foreach(json_object_get(ok, "lines"), at, one) print_line(one);
    json_array_foreach(json_object_get(ok, "gone"), at, one)
        printf("%" JSON_INTEGER_FORMAT "  was taken away\n", json_integer_value(one));
    fflush(stdout);
}

static void ask_chat(struct online *online);

static void ask_again(uv_timer_t *timer)
{
    ask_chat(timer->data);
}

static void on_chat(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    struct chatting *chatting = online->user;
    const struct chat_options *options = online->invocation->options;
    const int64_t again_ms = number_of(ok, "again_ms");
    if (error) {
        online_refused(online, error);
        return;
    }
    if (!online->invocation->online.json)
        print_news(ok);
    if (chatting->have < 0 && json_array_size(json_object_get(ok, "lines")) == 0)
        online_say(online, "Nobody has said anything yet.");
    chatting->have = number_of(ok, "have");
    if (options->once)
        online_stop(online, EXIT_OK);
    else if (again_ms > 0)
        uv_timer_start(&chatting->again, ask_again, (uint64_t)again_ms, 0);
    else
        ask_chat(online);
}

static json_t *make_request(const char *op, const struct chat_options *options)
{
    json_t *request = request_make(op, NULL, NULL, NULL);
    if (options->lang)
        json_object_set_new(request, "lang", json_string(options->lang));
    return request;
}

/* It is answered when there is something new. */
static void ask_chat(struct online *online)
{
    const struct chatting *chatting = online->user;
    json_t *request = make_request("chat", online->invocation->options);
    if (chatting->have >= 0)
        json_object_set_new(request, "have", json_integer(chatting->have));
    wire_client_request(online->client, request, on_chat, online);
}

/* ---- what is done */

static void on_done(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    const struct chat_options *options = online->invocation->options;
    (void)ok;
    if (error) {
        online_refused(online, error);
        return;
    }
    if (options->report)
        online_say(online, "It will be looked at.");
    online_stop(online, EXIT_OK);
}

static void ask_change(struct online *online)
{
    const struct chat_options *options = online->invocation->options;
    const char *text =
        online->invocation->operand_count > 0 ? online->invocation->operands[0] : NULL;
    const char *op = options->drop ? "chat_drop" : options->report ? "chat_report" : "chat_say";
    json_t *request = make_request(op, options);
    const int64_t line = options->drop ? options->drop : options->report;
    if (line)
        json_object_set_new(request, "line", json_integer(line));
    if (options->report)
        json_object_set_new(request, "why", json_string(options->why ? options->why : "talk"));
    if (text)
        json_object_set_new(request, "text", json_string(text));
    wire_client_request(online->client, request, on_done, online);
}

/* ---- the command */

static void on_ready(struct online *online)
{
    struct chatting *chatting = online->user;
    const struct chat_options *options = online->invocation->options;
    uv_timer_init(&online->loop, &chatting->again);
    chatting->again.data = online;
    chatting->begun = true;
    if (options->drop || options->report || online->invocation->operand_count > 0)
        ask_change(online);
    else
        ask_chat(online);
}

static void on_ended(struct online *online)
{
    struct chatting *chatting = online->user;
    if (chatting->begun)
        uv_close((uv_handle_t *)&chatting->again, NULL);
}

static int run_chat(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = on_ready, .ended = on_ended};
    const struct chat_options *options = invocation->options;
    struct chatting chatting = {.have = -1};
    if (options->drop && (options->report || invocation->operand_count > 0))
        return command_complain(invocation, "--drop is all that is done then");
    if (options->why && !options->report)
        return command_complain(invocation, "--why is of --report");
    if (options->lang && (options->drop || options->report))
        return command_complain(invocation, "a line has its number in all rooms, without --lang");
    return online_run(invocation, &app, &chatting);
}

const struct command command_chat = {
    .name = "chat",
    .operands = "[TEXT]",
    .summary = "Hear what is said in the lobby, or say something",
    .details =
        "Where a server has talk in the lobby, in a room for each language of its page. Without\n"
        "TEXT the last lines are printed, each with its number, and what others say from then on,\n"
        "until Control-C. With TEXT that is said, of an account alone (taluva claim): up to 140\n"
        "characters, and no link. Of whom you have blocked (taluva block) you get no line.",
    .operands_max = 1,
    .online = true,
    .rows = rows,
    .options_size = sizeof(struct chat_options),
    .run = run_chat,
};
