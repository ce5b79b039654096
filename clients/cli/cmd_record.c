#include "online.h"
#include "record_fetch.h"
#include <cli/file.h>
#include <errno.h>
#include <string.h>

struct record_options {
    const char *output;
};

static const struct option_row rows[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "write it there instead of to the standard output; a file that is there is kept",
     .offset = offsetof(struct record_options, output)},
    {.name = NULL},
};

static bool write_record(const char *path, const char *text)
{
    if (path && strcmp(path, "-") != 0) {
        if (file_create(path, text, strlen(text)))
            return true;
        fprintf(stderr, "taluva: %s: %s\n", path, strerror(errno));
        return false;
    }
    return fputs(text, stdout) >= 0 && fflush(stdout) == 0;
}

/* A long record comes in pieces. */
static void on_record(void *user, const char *text, const json_t *error)
{
    struct online *online = user;
    const struct record_options *options = online->invocation->options;
    const char *code = json_string_value(json_object_get(error, "code"));
    if (code && strcmp(code, "lost") == 0)
        online_stop(online, EXIT_NETWORK);
    else if (error)
        online_refused(online, error);
    else if (online->invocation->online.json && !options->output)
        online_stop(online, EXIT_OK); /* the replies were printed already */
    else
        online_stop(online, write_record(options->output, text) ? EXIT_OK : EXIT_FILE);
}

static void on_watched(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    const char *room = json_string_value(json_object_get(ok, "room"));
    if (error) {
        online_refused(online, error);
        return;
    }
    if (!room || strlen(room) != PROTOCOL_ROOM_BYTES)
        online_stop(online, EXIT_NETWORK);
    else
        record_fetch_begin(online->user, online->client, room, on_record, online);
}

static void on_ready(struct online *online)
{
    wire_client_request(online->client,
                        request_make("watch", online->invocation->operands[0], "code",
                                     online->invocation->online.code),
                        on_watched, online);
}

static int run_command(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = on_ready};
    struct record_fetch fetch = {.busy = false};
    int status = online_run(invocation, &app, &fetch);
    record_fetch_release(&fetch);
    return status;
}

const struct command command_record = {
    .name = "record",
    .operands = "ROOM",
    .summary = "Fetch the record of a match",
    .details = "Prints the text record of the match so far; after the end with the revealed\n"
               "secret, so that `taluva verify` can prove it and `taluva replay` play it again.",
    .operands_min = 1,
    .operands_max = 1,
    .online = true,
    .asks_once = true,
    .enters = true,
    .rows = rows,
    .options_size = sizeof(struct record_options),
    .run = run_command,
};
