/*
 * The options of taluvad: one table of them, each also an environment variable, and the limits of
 * the hub and of net. The command line overrides the environment, and that the default.
 *
 * Knows the tables and the environment it is given. Opens nothing, prints only --help.
 */
#ifndef SERVER_OPTIONS_H
#define SERVER_OPTIONS_H

#include <base/options.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <net/config.h>
#include <net/log.h>
#include <stdbool.h>
#include <stdio.h>

enum {
    OPTIONS_PATH_MAX = 4096,
    OPTIONS_MESSAGE_MAX = 512,
    OPTIONS_NODE_MAX = 63,
    OPTIONS_RELAY_MAX = 255
};

enum options_command {
    COMMAND_SERVE,
    COMMAND_BACKUP,
    COMMAND_RESTORE,
    COMMAND_CHECK,
    COMMAND_MIGRATE,
    COMMAND_PARTS,
    COMMAND_STATUS,
    COMMAND_FORGET,
    COMMAND_CHECK_NODE,
    COMMAND_RATINGS,
    COMMAND_ROTATE_KEY,
    COMMAND_HELP,
    COMMAND_VERSION
};

struct options {
    enum options_command command;
    /* To write a backup to; to restore; to check, NULL: the store's; to copy, NULL: nothing is. Of
     * parts: how many, NULL: asked. To forget: the name of a node. Of ratings: what is done. */
    const char *file;
    const char *data;
    const char *store;       /* URL of a database, or folder of the embedded store; NULL: `data` */
    const char *store_file;  /* that holds what `store` would say; NULL: none */
    const char *credentials; /* folder of a service's credentials; NULL: none */
    const char *admin;       /* the operator's socket; "none"; NULL: the usual place */
    const char *audit;       /* NULL: in the store's folder */
    const char *web;         /* NULL: the one that is installed, if any */
    const char *tls_cert, *tls_key;
    struct option_list listen, origins, hosts, quiet_hosts, proxies;
    bool standby;      /* waits while another server uses the store */
    bool alone;        /* no other server uses it, ever */
    const char *node;  /* its name as a node of the site; NULL: it is the only server */
    const char *relay; /* where the other nodes connect to it; NULL: they do not */
    const char *relay_cert, *relay_key, *relay_ca; /* NULL: those of `credentials` */
    bool json;                                     /* of `status` */
    bool write;                                    /* of `ratings rebuild` */
    const char *entry; /* of `ratings annul`: its number in the book; NULL: none */
    const char *reason;
    bool force;                /* of `backup`: over what is there */
    bool new_store;            /* also where keys say that there was a store */
    const char *site_key_file; /* that seals the keys of the site; NULL: that of `credentials` */
    bool new_keys;             /* also where the site has others */
    bool metrics_everywhere;
    const char *push_contact; /* NULL: no messages are sent to browsers */
    struct option_list push_services;
    const char *accounts_name, *visitors_name, *chat_name;
    enum hub_accounts accounts;
    bool accounts_only; /* nobody else may play */
    enum hub_chat chat;
    const char *identity_header; /* of HUB_ACCOUNTS_EXTERNAL: this, or a provider; else NULL */
    const char *oidc_issuer, *oidc_client, *oidc_secret_file, *external_name;
    const char *reserved_handles; /* a file; NULL: none */
    const char *name_patterns;    /* the same */
    const char *log_level_name;
    enum log_level log_level;
    struct hub_config hub;
    struct net_config net;
    char data_default[OPTIONS_PATH_MAX];
    const char *runtime; /* folder for sockets of a service; NULL: none */
};

/*
 * Texts point into argv, which is rearranged, and the environment. False: `message` says what is
 * wrong.
 */
bool options_read(struct options *options, int argc, char **argv,
                  const char *(*environment)(const char *name),
                  char message[static OPTIONS_MESSAGE_MAX]);

void options_help(FILE *out);

#endif
