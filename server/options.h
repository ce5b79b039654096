/*
 * The options of taluvad: one table of flags, each also an environment variable, followed by the
 * limits of the hub and of net from their own tables. A flag overrides the environment, and that
 * the default.
 *
 * Knows the tables and the environment it is given. Opens nothing, prints only --help.
 */
#ifndef SERVER_OPTIONS_H
#define SERVER_OPTIONS_H

#include <hub/config.h>
#include <net/config.h>
#include <net/log.h>
#include <stdbool.h>
#include <stdio.h>

enum { OPTIONS_LIST_MAX = 32, OPTIONS_PATH_MAX = 4096, OPTIONS_MESSAGE_MAX = 512 };

/* Ends with NULL. `text` is what the environment gave, cut up. */
struct options_list {
    const char *items[OPTIONS_LIST_MAX + 1];
    size_t count;
    char text[1024];
};

enum options_command { OPTIONS_SERVE, OPTIONS_BACKUP, OPTIONS_HELP, OPTIONS_VERSION };

struct options {
    enum options_command command;
    const char *backup_path;
    const char *data;
    const char *web, *tls_cert, *tls_key;
    struct options_list listen, origins, proxies;
    bool metrics_everywhere;
    enum log_level log_level;
    struct hub_config hub;
    struct net_config net;
    char data_default[OPTIONS_PATH_MAX];
};

/* Strings point into argv and the environment. False: `message` says what is wrong. */
bool options_parse(struct options *options, int argc, char **argv,
                   const char *(*environment)(const char *name),
                   char message[static OPTIONS_MESSAGE_MAX]);

void options_help(FILE *out);

#endif
