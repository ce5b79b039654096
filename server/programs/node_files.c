#include "node_files.h"

#include <stdio.h>

/* NULL: neither is there. */
static const char *find(struct node_files *files, const struct options *options, int at,
                        const char *given, const char *credential)
{
    if (given || !options->credentials)
        return given;
    snprintf(files->paths[at], sizeof files->paths[at], "%.*s/%s", OPTIONS_PATH_MAX,
             options->credentials, credential);
    return files->paths[at];
}

bool node_files_find(struct node_files *files, const struct options *options)
{
    files->relay = (struct net_relay_options){
        .name = options->node,
        .listen = options->relay,
        .cert = find(files, options, 0, options->relay_cert, "relay-cert"),
        .key = find(files, options, 1, options->relay_key, "relay-key"),
        .ca = find(files, options, 2, options->relay_ca, "relay-ca"),
    };
    return files->relay.cert && files->relay.key && files->relay.ca;
}
