#include "online.h"

#include "config.h"
#include "judged.h"
#include "own_news.h"
#include "refusal.h"
#include <base/program.h>
#include <cli/encoding.h>
#include <cli/file.h>
#include <cli/glyph.h>
#include <cli/state.h>
#include <errno.h>
#include <fcntl.h>
#include <local/server.h>
#include <protocol/encoding.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wire/clean.h>

#define PROGRAM "taluva " TALUVA_VERSION

static const char DEFAULT_SERVER[] = "ws://127.0.0.1:7400/ws";

/* ---- saying things */

void online_say(struct online *online, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    if (online->invocation->online.json)
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (online->app->say) {
        online->app->say(online, line);
        return;
    }
    glyph_print_text(line, stderr);
    fputc('\n', stderr);
}

/* ---- what was decided of whoever plays */

static void say_judgement(void *online, const char *line)
{
    online_say(online, "%s", line);
}

/*
 * A command that says its lines to a person tells the server that it was read; any other has it
 * said again the next time. In JSON mode the program has got it, and says `heed` itself.
 */
static void say_judgements(struct online *online, const json_t *message,
                           bool (*said)(const struct judged_reader *reader, const json_t *message))
{
    const struct judged_reader reader = {say_judgement, online};
    if (!online->invocation->online.json && said(&reader, message) && online->app->say)
        wire_client_request(online->client, request_make("heed", NULL, NULL, NULL), NULL, NULL);
}

/* A program has the push itself. */
static void say_own_news(struct online *online, const json_t *push)
{
    char line[OWN_NEWS_BYTES];
    if (!online->invocation->online.json && own_news_write(line, sizeof line, push))
        online_say(online, "%s", line);
}

/* ---- printing */

/* Whoever reads what is printed is gone, or the disk is full. */
static void lose_output(struct online *online, int error)
{
    program_output_failed(error);
    online_stop(online, EXIT_FILE);
}

static void print_line(struct online *online, const char *bytes, size_t len)
{
    wire_print_message(bytes, len, stdout);
    if (fflush(stdout) != 0)
        lose_output(online, errno);
}

void online_print_local(struct online *online, const char *what, json_t *object)
{
    json_t *all = json_pack("{s:s}", "local", what);
    if (online->invocation->online.json) {
        json_object_update(all, object);
        char *text = json_dumps(all, JSON_COMPACT);
        if (text)
            print_line(online, text, strlen(text));
        free(text);
    }
    json_decref(all);
    json_decref(object);
}

/* Quoted for a shell where it needs to be. */
static void add_option(char *text, size_t size, const char *option, const char *value)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@%+,=";
    size_t len = strlen(text);
    const char *quote = value[strspn(value, plain)] ? "'" : "";
    if (*quote && strchr(value, '\''))
        quote = "\"";
    if (len < size)
        snprintf(text + len, size - len, " %s %s%s%s", option, quote, value, quote);
}

void online_command(char text[ONLINE_COMMAND], const struct online *online, const char *verb,
                    const char *room)
{
    const struct online_options *given = &online->invocation->online;
    snprintf(text, ONLINE_COMMAND, "taluva %s %s", verb, room);
    if (given->profile)
        add_option(text, ONLINE_COMMAND, "--profile", given->profile);
    if (strcmp(online->server, DEFAULT_SERVER) != 0)
        add_option(text, ONLINE_COMMAND, "--server", online->server);
    if (given->ca)
        add_option(text, ONLINE_COMMAND, "--ca", given->ca);
}

void online_refused(struct online *online, const json_t *error)
{
    char text[512];
    refusal_of_command(text, sizeof text, error, online->invocation);
    online_say(online, "%s", text);
    online_stop(online, EXIT_REFUSED);
}

const char *online_pass(struct online *online, const json_t *ok, const json_t *error)
{
    if (error) {
        online_refused(online, error);
        return NULL;
    }
    const char *pass = state_text(ok, "pass");
    if (pass_valid(pass, strlen(pass)))
        return pass;
    online_stop(online, EXIT_NETWORK);
    return NULL;
}

json_t *request_make(const char *op, const char *room, const char *key, const char *value)
{
    json_t *request = json_pack("{s:s}", "op", op);
    if (room)
        json_object_set_new(request, "room", json_string(room));
    if (key && value)
        json_object_set_new(request, key, json_string(value));
    return request;
}

/* ---- the session */

static void on_online(void *user, const json_t *ok)
{
    struct online *online = user;
    bool first = !online->was_ready;
    online->was_ready = true;
    json_t *all = json_deep_copy(ok);
    json_object_del(all, "token"); /* a secret is never printed */
    online_print_local(online, "online", all);
    say_judgements(online, ok, judged_greet);
    online->hello = ok;
    if (first && online->app->ready)
        online->app->ready(online);
    else if (!first && online->app->back)
        online->app->back(online);
    else if (!first)
        online_say(online, "Connected again.");
    online->hello = NULL;
}

/* Without the full stop that texts of the server end with. */
static int without_stop(const char *text)
{
    const size_t len = strlen(text);
    return (int)(len > 0 && text[len - 1] == '.' ? len - 1 : len);
}

static void say_offline(struct online *online, int code, const char *reason, int64_t retry_ms)
{
    const double retry_s = (double)retry_ms / 1000;
    if (code == WIRE_CLOSED_UNREACHABLE && *reason)
        online_say(online, "%s cannot be reached: %.*s. Trying again in %.1f s.", online->server,
                   without_stop(reason), reason, retry_s);
    else
        online_say(online, "The connection was cut; trying again in %.1f s.", retry_s);
}

static void on_offline(void *user, int code, const char *reason, int64_t retry_ms)
{
    struct online *online = user;
    online_print_local(online, "offline",
                       json_pack("{s:i, s:s, s:I}", "code", code, "reason", reason, "retry_ms",
                                 (json_int_t)retry_ms));
    if (online->app->away)
        online->app->away(online, reason, retry_ms);
    else
        say_offline(online, code, reason, retry_ms);
}

/* What hello says comes from options: the one that is to blame is named. */
static void on_refused(void *user, const json_t *error)
{
    online_refused(user, error);
}

static void on_failed(void *user, const char *why)
{
    struct online *online = user;
    online_print_local(online, "failed", json_pack("{s:s}", "why", why));
    if (online->stopped)
        return;
    online_say(online, "Giving up on %s: %.*s.", online->server, without_stop(why), why);
    online_stop(online, EXIT_NETWORK);
}

static const char *on_token(void *user, const char *token)
{
    struct online *online = user;
    const char *other = NULL;
    const bool enters = online->entry && online->entry->pass;
    if (!(enters ? profile_keep(&online->profile, token)
                 : profile_keep_first(&online->profile, token, &other)))
        online_say(online, "The session cannot be kept for next time: %s.", strerror(errno));
    return other;
}

/* Without its store a server knows nobody, and with a backup of it everybody again. */
static const char *on_forgotten(void *user)
{
    struct online *online = user;
    const char *other = profile_refused(&online->profile, (int64_t)time(NULL));
    if (other)
        return other;
    profile_keep(&online->profile, "");
    online_print_local(online, "forgotten", json_object());
    if (online->app->needs_session || online->profile.is_given) {
        online_say(online, online->profile.is_given ? "The server does not know this token."
                                                    : "The server no longer knows this session.");
        online_stop(online, EXIT_REFUSED);
        return NULL;
    }
    online_say(online, "The server no longer knows this session; beginning a new one.");
    return NULL;
}

static void on_ended(void *user)
{
    struct online *online = user;
    profile_forget(&online->profile);
    if (online->stopped)
        return;
    online_say(online, "This device was ended: it does not play for its player any more.");
    online_stop(online, EXIT_REFUSED);
}

static void on_view(void *user, const struct wire_room *room)
{
    struct online *online = user;
    if (online->app->view)
        online->app->view(online, room);
}

static void on_event(void *user, const struct wire_room *room, const json_t *push)
{
    struct online *online = user;
    if (online->app->event)
        online->app->event(online, room, push);
}

static void on_push(void *user, const struct wire_room *room, const json_t *push)
{
    struct online *online = user;
    say_judgements(online, push, judged_hear);
    say_own_news(online, push);
    if (online->app->push)
        online->app->push(online, room, push);
}

static void on_gone(void *user, const char *room, const json_t *error)
{
    struct online *online = user;
    if (online->app->gone)
        online->app->gone(online, room, error);
    else
        online_refused(online, error);
}

static void on_received(void *user, const char *bytes, size_t len)
{
    print_line(user, bytes, len);
}

static void on_sent(void *user, const char *bytes, size_t len)
{
    json_t *request = json_loadb(bytes, len, 0, NULL);
    json_object_del(request, "pass"); /* a secret is never printed */
    online_print_local(user, "sent", json_pack("{s:o}", "request", request));
}

/* ---- running */

void online_stop(struct online *online, int exit_code)
{
    if (online->stopped)
        return;
    online->stopped = true;
    online->exit_code = exit_code;
    uv_stop(&online->loop);
}

static void on_signal(uv_signal_t *signal, int number)
{
    struct online *online = signal->data;
    if (number == SIGINT && online->app->control_c && online->app->control_c(online))
        return;
    const bool first = !online->was_interrupted;
    online->was_interrupted = true;
    if (!first || !online->app->interrupted || !online->app->interrupted(online))
        online_stop(online, EXIT_INTERRUPTED);
}

bool online_find_server(struct wire_url *url, const struct invocation *invocation)
{
    const char *text = invocation->online.server, *variable = getenv("TALUVA_SERVER");
    if (!text && variable && *variable)
        text = variable;
    if (!text || !*text)
        text = *invocation->config->server ? invocation->config->server : DEFAULT_SERVER;
    if (wire_url_parse(url, text))
        return true;
    fputs("taluva: '", stderr);
    glyph_print_text(text, stderr);
    fputs("' is no address of a server, such as ws://example.org:7400/ws\n", stderr);
    return false;
}

bool online_ca_is_usable(const char *path)
{
    struct file file;
    if (!file_read(&file, strcmp(path, "-") == 0 ? "./-" : path))
        return false;
    const bool usable = strstr(file.bytes, "-----BEGIN CERTIFICATE-----") ||
                        strstr(file.bytes, "-----BEGIN TRUSTED CERTIFICATE-----");
    file_release(&file);
    if (!usable)
        fprintf(stderr, "taluva: --ca: %s: there is no certificate in it, as PEM\n", path);
    return usable;
}

static const char *default_name(const struct online *online)
{
    static char converted[128];
    const char *user = getenv("USER");
    if (online->invocation->online.name)
        return online->invocation->online.name;
    if (online->profile.token[0] || online->entry)
        return NULL; /* as the session is called already */
    if (*online->invocation->config->name)
        return online->invocation->config->name;
    user = user ? encoding_read(converted, sizeof converted, user) : NULL;
    return user && *user ? user : "Player";
}

static struct wire_client_events events_of(const struct online *online)
{
    struct wire_client_events events = {
        .online = on_online,
        .offline = on_offline,
        .refused = on_refused,
        .failed = on_failed,
        .token = on_token,
        .forgotten = on_forgotten,
        .ended = on_ended,
        .view = on_view,
        .event = on_event,
        .push = on_push,
        .gone = on_gone,
    };
    if (online->invocation->online.json) {
        events.received = on_received;
        events.sent = on_sent;
    }
    return events;
}

static bool connect_client(struct online *online)
{
    const struct wire_client_events events = events_of(online);
    struct wire_client_config config = {
        .url = online->url,
        .name = default_name(online),
        .token = online->profile.token[0] ? online->profile.token : NULL,
        .pass = online->entry ? online->entry->pass : NULL,
        .program = PROGRAM,
        .appeals = online->app->appeals,
        .patience_ms = online->invocation->online.patience_s * 1000,
    };
    online->context =
        wire_context_create(&online->loop, online->invocation->online.ca, WIRE_ANSWER_S);
    if (!online->context)
        return false;
    const struct wire_carrier carrier = wire_carrier_network(online->context);
    online->client = wire_client_create(&carrier, &config, &events, online);
    return online->client != NULL;
}

static void on_told(void *user, int person, const struct wire_room *room, const json_t *push)
{
    struct online *online = user;
    if (online->app->told)
        online->app->told(online, person, room, push);
}

static bool connect_here(struct online *online)
{
    const struct online_here *here = online->here;
    const struct local_server_config config = {
        .games = here->games, .name = PROGRAM, .computer_ms = here->computer_ms};
    online->local = local_server_create(&online->loop, &config);
    if (!online->local)
        return false;
    const struct wire_carrier carrier = local_server_carrier(online->local);
    const struct hotseat_config people = {.carrier = &carrier,
                                          .client = {.program = PROGRAM},
                                          .names = here->names,
                                          .count = here->people,
                                          .events = events_of(online),
                                          .told = on_told,
                                          .user = online};
    online->hotseat = hotseat_create(&people);
    online->client = online->hotseat ? hotseat_client(online->hotseat, 0) : NULL;
    return online->hotseat != NULL;
}

static void disconnect_client(struct online *online)
{
    if (online->hotseat)
        hotseat_destroy(online->hotseat);
    else
        wire_client_destroy(online->client);
}

static void start_signals(struct online *online)
{
    static const int numbers[3] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < 3; i++) {
        uv_signal_init(&online->loop, &online->signals[i]);
        online->signals[i].data = online;
        uv_signal_start(&online->signals[i], on_signal, numbers[i]);
    }
}

/* Also while nothing is printed: who waits for the next line of a match that stands still. */
static void on_reader(uv_poll_t *poll, int status, int events)
{
    (void)status;
    (void)events;
    uv_poll_stop(poll);
    lose_output(poll->data, EPIPE);
}

static bool is_pipe(int fd)
{
    struct stat status;
    return fstat(fd, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

/* libuv has made it one that does not wait, for whoever else has it too. */
static void wait_again(int fd)
{
    const int flags = fcntl(fd, F_GETFL);
    if (flags >= 0)
        (void)fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
}

static void watch_reader(struct online *online)
{
    online->watches_reader =
        is_pipe(STDOUT_FILENO) && uv_poll_init(&online->loop, &online->reader, STDOUT_FILENO) == 0;
    if (!online->watches_reader)
        return;
    wait_again(STDOUT_FILENO);
    online->reader.data = online;
    uv_poll_start(&online->reader, UV_DISCONNECT, on_reader);
}

static void run_loop(struct online *online)
{
    start_signals(online);
    watch_reader(online);
    if (online->here ? connect_here(online) : connect_client(online))
        uv_run(&online->loop, UV_RUN_DEFAULT);
    else
        online->exit_code = EXIT_MEMORY;
    if (online->app->ended)
        online->app->ended(online);
    disconnect_client(online);
    for (size_t i = 0; i < 3; i++)
        uv_close((uv_handle_t *)&online->signals[i], NULL);
    if (online->watches_reader)
        uv_close((uv_handle_t *)&online->reader, NULL);
    uv_run(&online->loop, UV_RUN_NOWAIT); /* sends the close frame */
    wire_context_destroy(online->context);
    local_server_destroy(online->local);
    uv_run(&online->loop, UV_RUN_DEFAULT);
}

static int run_online(struct online *online)
{
    signal(SIGPIPE, SIG_IGN);
    if (uv_loop_init(&online->loop) != 0)
        return EXIT_MEMORY;
    run_loop(online);
    uv_loop_close(&online->loop);
    return online->exit_code;
}

int online_run_here(const struct invocation *invocation, const struct online_here *here,
                    const struct online_app *app, void *user)
{
    struct online online = {.invocation = invocation,
                            .app = app,
                            .user = user,
                            .here = here,
                            .exit_code = EXIT_NETWORK};
    return run_online(&online);
}

/* EXIT_OK, or why it cannot begin, which has been said. */
static int check_profile(const struct online *online)
{
    const struct invocation *invocation = online->invocation;
    const struct online_entry *entry = online->entry;
    const char *word = invocation->online.profile ? invocation->online.profile : "default";
    const bool has_session = online->profile.token[0];
    if (online->app->needs_session && !has_session)
        return command_complain(invocation, "the profile '%s' has no session with %s", word,
                                online->server);
    if (entry && has_session && !online->profile.is_aside && !entry->replace)
        return command_complain(invocation,
                                "the profile '%s' has a session with %s already: --profile names "
                                "another one, --replace leaves that session behind",
                                word, online->server);
    if (!entry || profile_can_keep(&online->profile))
        return EXIT_OK;
    fprintf(stderr, "taluva: the session could not be kept: %s%s%s\n", online->profile.path,
            *online->profile.path ? ": " : "", strerror(errno));
    return EXIT_FILE;
}

/* Finds all that is needed; EXIT_OK, or why not, which has been said. */
static int prepare_online(struct online *online)
{
    const struct online_options *options = &online->invocation->online;
    if (!online_find_server(&online->url, online->invocation))
        return EXIT_USAGE;
    if (!profile_open(&online->profile, &online->url, options->profile)) {
        fprintf(stderr, "taluva: a profile is a word of letters, digits, - and _\n");
        return EXIT_USAGE;
    }
    const char *fault = profile_given_text(profile_take_given(&online->profile, &online->url));
    if (fault) {
        fprintf(stderr, "taluva: %s\n", fault);
        return EXIT_USAGE;
    }
    if (options->ca && !online_ca_is_usable(options->ca))
        return EXIT_FILE;
    wire_url_format(&online->url, online->server);
    return check_profile(online);
}

int online_run_entering(const struct invocation *invocation, const struct online_entry *entry,
                        const struct online_app *app, void *user)
{
    struct online online = {.invocation = invocation,
                            .app = app,
                            .user = user,
                            .entry = entry,
                            .exit_code = EXIT_NETWORK};
    const int status = prepare_online(&online);
    return status == EXIT_OK ? run_online(&online) : status;
}

int online_run(const struct invocation *invocation, const struct online_app *app, void *user)
{
    return online_run_entering(invocation, NULL, app, user);
}
