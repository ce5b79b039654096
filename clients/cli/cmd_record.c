#include "online.h"
#include <cli/file.h>
#include <errno.h>
#include <protocol/buffer.h>
#include <protocol/record.h>
#include <string.h>

struct record_options {
    const char *output;
};

static const struct option_row rows[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "write it there instead of to the standard output",
     .offset = offsetof(struct record_options, output)},
    {.name = NULL},
};

static bool write_record(const char *path, const char *text)
{
    if (path && strcmp(path, "-") != 0) {
        if (file_replace(path, text, strlen(text), false))
            return true;
        fprintf(stderr, "taluva: %s: %s\n", path, strerror(errno));
        return false;
    }
    return fputs(text, stdout) >= 0 && fflush(stdout) == 0;
}

/* What the command holds while it runs. */
struct fetching {
    char room[PROTOCOL_ROOM_BYTES + 1];
    struct buffer text; /* the pieces so far */
};

static void ask(struct online *online);

static void finish(struct online *online, struct fetching *fetching)
{
    const struct record_options *options = online->invocation->options;
    if (online->invocation->online.json && !options->output) {
        online_stop(online, EXIT_OK); /* the replies were printed already */
        return;
    }
    buffer_append(&fetching->text, "", 1); /* ends the string */
    if (fetching->text.failed)
        online_stop(online, EXIT_NETWORK); /* longer than any record */
    else
        online_stop(online, write_record(options->output, buffer_payload(&fetching->text))
                                ? EXIT_OK
                                : EXIT_FILE);
}

/* A long record comes in pieces. */
static void on_record(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    struct fetching *fetching = online->user;
    const json_t *text = json_object_get(ok, "record");
    const json_t *next = json_object_get(ok, "next");
    if (error) {
        online_refused(online, error);
        return;
    }
    if (!json_is_string(text) || (next && json_string_length(text) == 0)) {
        online_stop(online, EXIT_NETWORK);
        return;
    }
    buffer_append(&fetching->text, json_string_value(text), json_string_length(text));
    if (next && !fetching->text.failed)
        ask(online);
    else
        finish(online, fetching);
}

static void ask(struct online *online)
{
    const struct fetching *fetching = online->user;
    json_t *request = request_make("record", fetching->room, NULL, NULL);
    if (fetching->text.len > 0)
        json_object_set_new(request, "have", json_integer((json_int_t)fetching->text.len));
    wire_client_request(online->client, request, on_record, online);
}

static void on_watched(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    struct fetching *fetching = online->user;
    const char *room = json_string_value(json_object_get(ok, "room"));
    if (error) {
        online_refused(online, error);
        return;
    }
    snprintf(fetching->room, sizeof fetching->room, "%s", room ? room : "");
    ask(online);
}

static void ready(struct online *online)
{
    wire_client_request(online->client,
                        request_make("watch", online->invocation->operands[0], "code",
                                     online->invocation->online.code),
                        on_watched, online);
}

static int run(const struct invocation *invocation)
{
    static const struct online_app app = {.ready = ready};
    struct fetching fetching = {.room = ""};
    buffer_init(&fetching.text, 0, RECORD_BYTES + 1);
    int status = online_run(invocation, &app, &fetching);
    buffer_release(&fetching.text);
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
    .enters = true,
    .rows = rows,
    .options_size = sizeof(struct record_options),
    .run = run,
};
