/*
 * Pages that a server has for everybody, for commands that fetch one after the other and do nothing
 * meanwhile. What is wrong is said on the standard error.
 */
#ifndef CLI_PAGES_H
#define CLI_PAGES_H

#include <cli/command.h>
#include <protocol/buffer.h>
#include <stdbool.h>
#include <stddef.h>
#include <wire/fetch.h>

enum { PAGES_BYTES = 4 * 1024 * 1024 /* of one, at most */ };

struct pages {
    struct wire_fetcher *fetcher;
    struct buffer body; /* of the last one */
};

/* Rows of a command with `server` and `ca` among its options. */
#define PAGES_SERVER_ROW(options)                                                                  \
    {                                                                                              \
        .name = "server", .letter = 's', .kind = OPTION_TEXT, .value = "URL",                      \
        .help = "the server, ws://, wss://, http:// or https://; else $TALUVA_SERVER, else "       \
                "ws://127.0.0.1:7400/ws",                                                          \
        .offset = offsetof(struct options, server)                                                 \
    }
#define PAGES_CA_ROW(options)                                                                      \
    {                                                                                              \
        .name = "ca", .kind = OPTION_TEXT, .value = "FILE",                                        \
        .help = "wss: trust this certificate authority (PEM) and no other",                        \
        .offset = offsetof(struct options, ca)                                                     \
    }

/* Of the server that is named so; `server` and `ca` may be NULL. An exit code; to be ended only
 * after EXIT_OK. */
int pages_begin(struct pages *pages, const struct invocation *invocation, const char *server,
                const char *ca);
void pages_end(struct pages *pages);

/* A server that says that it is busy is asked again for a minute. *there: false if it has no such
 * page; `there` NULL: it has to be there. An exit code. */
int pages_fetch(struct pages *pages, const char *path, bool *there);

/* Calls back with each line of the last one, an object: false ends it. EXIT_DATA: that is none. */
struct json_t;
int pages_lines(const struct pages *pages, bool (*line)(void *ctx, const struct json_t *object),
                void *ctx);

#endif
