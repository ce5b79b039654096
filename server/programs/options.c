#include "options.h"

#include <oidc/provider.h>
#include <string.h>

#define FIELD(name) offsetof(struct options, name)

static const char *const levels[] = {"error", "warn", "info", "debug", NULL};
static const char *const accounts[] = {"off", "open", "invite", "external",
                                       NULL}; /* as enum hub_accounts */
static const char *const visitors[] = {"on", "off", NULL};
static const char *const lobby_chat[] = {"off", "accounts", "everybody", NULL};

static const struct option_row rows[] = {
    {.name = "listen",
     .kind = OPTION_LIST,
     .value = "ADDRESS:PORT",
     .help = "where to listen; may be repeated; also [ADDRESS]:PORT, NAME:PORT, unix:PATH, and"
             " PORT on 127.0.0.1; port 0: any free port; 0.0.0.0:PORT: for other machines too"
             " [127.0.0.1:7400]",
     .offset = FIELD(listen)},
    {.name = "data",
     .kind = OPTION_NAME,
     .value = "DIR",
     .help = "folder of the store, created if it does not exist [$STATE_DIRECTORY or "
             "~/.local/state/taluva]",
     .offset = FIELD(data)},
    {.name = "store",
     .kind = OPTION_NAME,
     .value = "URL",
     .help = "store matches in this PostgreSQL database, postgres://USER@HOST/DATABASE; or in the"
             " store of this folder, while keys stay in that of --data [the folder of"
             " --data]",
     .offset = FIELD(store)},
    {.name = "store-file",
     .kind = OPTION_NAME,
     .value = "FILE",
     .help = "the same, read from the only line of FILE, for a URL with a password in it"
             " [$CREDENTIALS_DIRECTORY/store, if there is one]",
     .offset = FIELD(store_file)},
    {.name = "standby",
     .kind = OPTION_FLAG,
     .help = "while another server uses the database, wait, and serve when that one is gone",
     .offset = FIELD(standby)},
    {.name = "alone",
     .kind = OPTION_FLAG,
     .help = "no other server is ever started with this database: while it is away, go on showing"
             " what is known [after 2.5 s without it nothing is said]",
     .offset = FIELD(alone)},
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "of `status`: one JSON object",
     .offset = FIELD(json)},
    {.name = "force",
     .kind = OPTION_FLAG,
     .help = "of `backup`: replace FILE, once the copy is whole",
     .offset = FIELD(force)},
    {.name = "write",
     .kind = OPTION_FLAG,
     .help = "of `ratings rebuild`: have the store keep what follows from its book",
     .offset = FIELD(write)},
    {.name = "reason",
     .kind = OPTION_NAME,
     .value = "TEXT",
     .help = "of `ratings annul`: why, which everybody can read in the book",
     .offset = FIELD(reason)},
    {.name = "new-store",
     .kind = OPTION_FLAG,
     .help = "begin with an empty store where keys, or a --site-key-file, say that there was one"
             " [refused: the store may be lost]",
     .offset = FIELD(new_store)},
    {.name = "site-key-file",
     .kind = OPTION_NAME,
     .value = "FILE",
     .help = "keep the keys of a site in its database, sealed by the one in FILE, 64 hexadecimal"
             " digits, which all its servers are given [$CREDENTIALS_DIRECTORY/site-key, or files"
             " in DIR]",
     .offset = FIELD(site_key_file)},
    {.name = "new-keys",
     .kind = OPTION_FLAG,
     .help = "make the keys of this server those of its site, in place of others [refused: some"
             " may have been forgotten]",
     .offset = FIELD(new_keys)},
    {.name = "node",
     .kind = OPTION_NAME,
     .value = "NAME",
     .help = "serve the database's site together with other nodes, by this name, which is its"
             " alone [the only server]",
     .offset = FIELD(node)},
    {.name = "relay",
     .kind = OPTION_NAME,
     .value = "ADDRESS:PORT",
     .help = "where the other nodes connect to this one, in numbers [they do not]",
     .offset = FIELD(relay)},
    {.name = "relay-cert",
     .kind = OPTION_NAME,
     .value = "FILE",
     .help = "certificate of the node, PEM, with its name as a DNS name"
             " [$CREDENTIALS_DIRECTORY/relay-cert]",
     .offset = FIELD(relay_cert)},
    {.name = "relay-key",
     .kind = OPTION_NAME,
     .value = "FILE",
     .help = "its private key, PEM, which not everybody may read"
             " [$CREDENTIALS_DIRECTORY/relay-key]",
     .offset = FIELD(relay_key)},
    {.name = "relay-ca",
     .kind = OPTION_NAME,
     .value = "FILE",
     .help = "who issues the certificates of the nodes, PEM [$CREDENTIALS_DIRECTORY/relay-ca]",
     .offset = FIELD(relay_ca)},
    {.name = "web",
     .kind = OPTION_NAME,
     .value = "DIR",
     .help = "folder of the browser client, to be served at /; 'none' serves no page"
             " [the one that was installed with this program]",
     .offset = FIELD(web)},
    {.name = "origin",
     .kind = OPTION_LIST,
     .value = "ORIGIN",
     .help = "web page that may connect too, as https://club.example;"
             " may be repeated [the same host]",
     .offset = FIELD(origins)},
    {.name = "host",
     .kind = OPTION_LIST,
     .value = "NAME",
     .help = "name of this server, as club.example; '*': any; may be repeated"
             " [addresses, localhost, names without a dot, and those of --origin]",
     .offset = FIELD(hosts)},
    {.name = "quiet-host",
     .kind = OPTION_LIST,
     .value = "NAME",
     .help = "name of this server under which nobody talks, as school.example; '*': any;"
             " may be repeated [none]",
     .offset = FIELD(quiet_hosts)},
    {.name = "trusted-proxy",
     .kind = OPTION_LIST,
     .value = "NETWORK",
     .help = "address or network whose X-Forwarded-For is trusted;"
             " 'unix' for Unix sockets [none]",
     .offset = FIELD(proxies)},
    {.name = "admin",
     .kind = OPTION_NAME,
     .value = "PATH",
     .help = "Unix socket for taluva-admin, for root and the server's own user and group; 'none':"
             " no socket [$RUNTIME_DIRECTORY/admin.sock, or admin.sock in the folder of the store]",
     .offset = FIELD(admin)},
    {.name = "audit-log",
     .kind = OPTION_NAME,
     .value = "FILE",
     .help = "who has changed what by taluva-admin, one JSON object a line"
             " [admin-audit.log in the folder of the store]",
     .offset = FIELD(audit)},
    {.name = "tls-cert",
     .kind = OPTION_NAME,
     .value = "FILE",
     .help = "certificate chain, PEM; SIGHUP reads it again [none]",
     .offset = FIELD(tls_cert)},
    {.name = "tls-key",
     .kind = OPTION_NAME,
     .value = "FILE",
     .help = "its private key, PEM [none]",
     .offset = FIELD(tls_key)},
    {.name = "metrics-everywhere",
     .kind = OPTION_FLAG,
     .help = "let everybody read /metrics [only this machine]",
     .offset = FIELD(metrics_everywhere)},
    {.name = "push-contact",
     .kind = OPTION_NAME,
     .value = "ADDRESS",
     .help = "send messages to browsers (Web Push); mailto: or https: address of who runs this"
             " server, which push services are told [no messages]",
     .offset = FIELD(push_contact)},
    {.name = "push-service",
     .kind = OPTION_LIST,
     .value = "SERVICE",
     .help = "push service that messages may be sent to, as push.example, *.push.example or"
             " http://127.0.0.1:8080; may be repeated [those of the browsers]",
     .offset = FIELD(push_services)},
    {.name = "accounts",
     .kind = OPTION_WORD,
     .value = "MODE",
     .help = "may people claim handles: not at all, whoever asks, who is invited, or who signs in"
             " elsewhere [off]",
     .offset = FIELD(accounts_name),
     .words = accounts},
    {.name = "identity-header",
     .kind = OPTION_NAME,
     .value = "NAME",
     .help = "of `--accounts external`: the header in which a --trusted-proxy says who somebody is;"
             " from elsewhere it says nothing [none]",
     .offset = FIELD(identity_header)},
    {.name = "oidc-issuer",
     .kind = OPTION_NAME,
     .value = "URL",
     .help = "of `--accounts external`: where people sign in, a provider of OpenID Connect, which"
             " sends them back to /enter/back below the first --origin [none]",
     .offset = FIELD(oidc_issuer)},
    {.name = "oidc-client",
     .kind = OPTION_NAME,
     .value = "ID",
     .help = "as what the provider knows this server",
     .offset = FIELD(oidc_client)},
    {.name = "oidc-secret-file",
     .kind = OPTION_NAME,
     .value = "FILE",
     .help = "the secret that the provider has given to this server, the only line of FILE [none:"
             " it is a public client]",
     .offset = FIELD(oidc_secret_file)},
    {.name = "external-name",
     .kind = OPTION_NAME,
     .value = "TEXT",
     .help = "what people call the place where they sign in, for the page's button [none]",
     .offset = FIELD(external_name)},
    {.name = "visitors",
     .kind = OPTION_WORD,
     .value = "WHETHER",
     .help = "may those play who have no account [on]",
     .offset = FIELD(visitors_name),
     .words = visitors},
    {.name = "lobby-chat",
     .kind = OPTION_WORD,
     .value = "WHO",
     .help = "who hears what is said in the lobby; of them those speak who have an account [off]",
     .offset = FIELD(chat_name),
     .words = lobby_chat},
    {.name = "reserved-handles",
     .kind = OPTION_NAME,
     .value = "FILE",
     .help = "handles that nobody may claim, words between blanks and line ends [only those that"
             " every server reserves]",
     .offset = FIELD(reserved_handles)},
    {.name = "name-patterns",
     .kind = OPTION_NAME,
     .value = "FILE",
     .help = "what nobody may be called, nor a room: a word a line, found by what it looks like;"
             " SIGHUP reads it again [none]",
     .offset = FIELD(name_patterns)},
    {.name = "log-level",
     .kind = OPTION_WORD,
     .value = "LEVEL",
     .help = "what is logged [info]",
     .offset = FIELD(log_level_name),
     .words = levels},
    {.name = NULL},
};

#define LIMIT_ROW(limit, at, standard, least, most, reason)                                        \
    {.name = #limit,                                                                               \
     .kind = OPTION_NUMBER,                                                                        \
     .value = "N",                                                                                 \
     .help = reason " [" #standard "]",                                                            \
     .offset = FIELD(at),                                                                          \
     .min = (least),                                                                               \
     .max = (most),                                                                                \
     .initial = (standard)},
#define HUB_ROW(limit, ...) LIMIT_ROW(limit, hub.limit, __VA_ARGS__)
#define NET_ROW(limit, ...) LIMIT_ROW(limit, net.limit, __VA_ARGS__)

static const struct option_row limits[] = {HUB_LIMITS(HUB_ROW) NET_LIMITS(NET_ROW){.name = NULL}};

static bool fail_option(char message[static OPTIONS_MESSAGE_MAX], const char *what,
                        const char *problem)
{
    snprintf(message, OPTIONS_MESSAGE_MAX, "%.200s%s; see --help", what, problem);
    return false;
}

/* The commands with the fewest and the most files that they are given. */
static const struct {
    const char *name;
    enum options_command command;
    int files_min, files_max;
} commands[] = {
    {"backup", COMMAND_BACKUP, 1, 1},         {"check", COMMAND_CHECK, 0, 1},
    {"migrate", COMMAND_MIGRATE, 0, 1},       {"parts", COMMAND_PARTS, 0, 1},
    {"rotate-key", COMMAND_ROTATE_KEY, 0, 0}, {"help", COMMAND_HELP, 0, 0},
    {"status", COMMAND_STATUS, 0, 0},         {"forget", COMMAND_FORGET, 1, 1},
    {"restore", COMMAND_RESTORE, 1, 1},       {"check-node", COMMAND_CHECK_NODE, 0, 0},
    {"ratings", COMMAND_RATINGS, 1, 2},
};

static const char *what_it_needs(enum options_command command)
{
    if (command == COMMAND_FORGET)
        return " needs the name of a node";
    return command == COMMAND_RATINGS ? " needs to be told what to do: rebuild, or annul"
                                      : " needs the name of a file";
}

static bool read_command(struct options *options, const struct options_parsed *parsed,
                         char message[static OPTIONS_MESSAGE_MAX])
{
    char *const *words = parsed->operands;
    const int files = parsed->operand_count - 1;
    if (files < 0)
        return true;
    for (size_t at = 0; at < sizeof commands / sizeof commands[0]; at++) {
        if (strcmp(words[0], commands[at].name) != 0)
            continue;
        if (files < commands[at].files_min)
            return fail_option(message, words[0], what_it_needs(commands[at].command));
        if (files > commands[at].files_max)
            return fail_option(message, words[commands[at].files_max + 1], ": not understood");
        options->command = commands[at].command;
        options->file = files > 0 ? words[1] : NULL;
        options->entry = files > 1 ? words[2] : NULL;
        return true;
    }
    return fail_option(message, words[0], ": not understood");
}

/* systemd passes the folders that it has created; the first one is used. */
static bool default_data(struct options *options, const char *(*environment)(const char *name),
                         char message[static OPTIONS_MESSAGE_MAX])
{
    const char *systemd = environment("STATE_DIRECTORY"), *xdg = environment("XDG_STATE_HOME");
    const char *home = environment("HOME");
    int len = 0;
    if (systemd && *systemd)
        len = snprintf(options->data_default, OPTIONS_PATH_MAX, "%.*s", (int)strcspn(systemd, ":"),
                       systemd);
    else if (xdg && *xdg == '/')
        len = snprintf(options->data_default, OPTIONS_PATH_MAX, "%s/taluva", xdg);
    else if (home && *home == '/')
        len = snprintf(options->data_default, OPTIONS_PATH_MAX, "%s/.local/state/taluva", home);
    options->data = options->data_default;
    return (len > 0 && len < OPTIONS_PATH_MAX) ||
           fail_option(message, "--data", ": needed, as no default folder is known for the store");
}

/* Needs no folder, which a service may not have. */
static bool only_asks_database(const struct options *options)
{
    const enum options_command command = options->command;
    return (options->store || options->store_file) &&
           (command == COMMAND_MIGRATE || command == COMMAND_PARTS || command == COMMAND_STATUS ||
            command == COMMAND_FORGET || command == COMMAND_RATINGS);
}

/* What is given on the command line goes before what the environment says. */
static bool one_store(struct options *options, const struct options_parsed *parsed,
                      char message[static OPTIONS_MESSAGE_MAX])
{
    if (!options->store || !options->store_file)
        return true;
    const bool named = options_given(parsed, "store"),
               in_file = options_given(parsed, "store-file");
    if (named == in_file)
        return fail_option(message, "--store and --store-file", ": only one of them can be given");
    if (named)
        options->store_file = NULL;
    else
        options->store = NULL;
    return true;
}

/* As in a certificate, where it stands as a DNS name. */
static bool is_node_name(const char *name)
{
    static const char ends[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    const size_t len = strlen(name);
    for (const char *at = name; *at; at++) {
        if (!strchr(ends, *at) && *at != '-' && *at != '.')
            return false;
    }
    return len <= OPTIONS_NODE_MAX && strchr(ends, name[0]) && strchr(ends, name[len - 1]);
}

/* Others are told of it: so it has to be one address, and a port that is known. */
static bool is_relay(const char *relay)
{
    const char *colon = strrchr(relay, ':');
    const bool anywhere = strncmp(relay, "0.0.0.0:", 8) == 0 || strncmp(relay, "[::]:", 5) == 0;
    return strlen(relay) <= OPTIONS_RELAY_MAX && colon && colon > relay && !anywhere &&
           colon[1] != '0' && colon[1] != '\0' &&
           colon[1 + strspn(colon + 1, "0123456789")] == '\0';
}

static bool node_is_sound(const struct options *options, char message[static OPTIONS_MESSAGE_MAX])
{
    const bool files = options->relay_cert || options->relay_key || options->relay_ca;
    if (!options->node && options->relay)
        return fail_option(message, "--relay", ": for nodes only, which have a name, --node");
    if (!options->relay && files)
        return fail_option(message, "--relay-cert, --relay-key and --relay-ca",
                           ": of no use without"
                           " --relay");
    if (!options->node)
        return true;
    if (!is_node_name(options->node))
        return fail_option(
            message, "--node",
            ": a name has 1 to 63 letters, digits, '-' and '.', and neither of these at"
            " its ends");
    if (options->standby || options->alone)
        return fail_option(message, "--node",
                           " excludes --standby and --alone: nodes take over by"
                           " themselves");
    if (options->relay && !is_relay(options->relay))
        return fail_option(
            message, "--relay",
            ": ADDRESS:PORT or [ADDRESS]:PORT at which the other nodes find this one");
    return true;
}

/* The letters that the name of a header has. */
static bool is_header(const char *name)
{
    return name[0] && name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                        "0123456789-_")] == '\0';
}

/* Where a browser can be sent back to: by https, or on its own machine. */
static bool is_way_back(const char *origin)
{
    return oidc_issuer_is_valid(origin);
}

static bool provider_is_sound(const struct options *options,
                              char message[static OPTIONS_MESSAGE_MAX])
{
    if (!oidc_issuer_is_valid(options->oidc_issuer))
        return fail_option(message, "--oidc-issuer",
                           ": not https://HOST, nor http on this machine");
    if (!options->oidc_client || !oidc_client_is_valid(options->oidc_client, OIDC_CLIENT_MAX))
        return fail_option(message, "--oidc-issuer", " needs an --oidc-client");
    if (options->origins.count == 0 || !is_way_back(options->origins.items[0]))
        return fail_option(message, "--oidc-issuer",
                           " needs an --origin by https, to which browsers come back");
    return true;
}

/* One of the two says who somebody is, and there is nobody else to believe. */
static bool external_is_sound(const struct options *options,
                              char message[static OPTIONS_MESSAGE_MAX])
{
    const bool header = options->identity_header, provider = options->oidc_issuer;
    if (options->accounts != HUB_ACCOUNTS_EXTERNAL) {
        if (!header && !provider && !options->oidc_client && !options->oidc_secret_file &&
            !options->external_name)
            return true;
        return fail_option(message, "--identity-header, --oidc-..., --external-name",
                           ": of no use but with `--accounts external`");
    }
    if (header == provider)
        return fail_option(message, "--accounts external",
                           " needs an --identity-header or an --oidc-issuer, and not both");
    if (provider)
        return provider_is_sound(options, message);
    if (options->oidc_client || options->oidc_secret_file)
        return fail_option(message, "--oidc-client, --oidc-secret-file",
                           ": of no use without --oidc-issuer");
    if (!is_header(options->identity_header))
        return fail_option(message, "--identity-header", ": not the name of a header");
    return options->proxies.count > 0 ||
           fail_option(message, "--identity-header",
                       " needs a --trusted-proxy, as it is believed of nobody else");
}

static bool accounts_are_sound(struct options *options, char message[static OPTIONS_MESSAGE_MAX])
{
    const char *const mode = options->accounts_name ? options->accounts_name : accounts[0];
    while (strcmp(accounts[options->accounts], mode) != 0)
        options->accounts++;
    options->accounts_only =
        options->visitors_name && strcmp(options->visitors_name, visitors[1]) == 0;
    const char *const chat = options->chat_name ? options->chat_name : lobby_chat[0];
    while (strcmp(lobby_chat[options->chat], chat) != 0)
        options->chat++;
    if (!external_is_sound(options, message))
        return false;
    if (options->accounts == HUB_ACCOUNTS_OFF && options->chat != HUB_CHAT_OFF)
        return fail_option(message, "--lobby-chat",
                           ": nobody could speak, as there are no --accounts");
    if (options->accounts == HUB_ACCOUNTS_OFF && options->accounts_only)
        return fail_option(message, "--visitors off",
                           ": nobody could play, as there are no --accounts");
    return true;
}

static bool ratings_are_sound(const struct options *options,
                              char message[static OPTIONS_MESSAGE_MAX])
{
    const bool asked = options->command == COMMAND_RATINGS;
    const bool annuls = asked && strcmp(options->file, "annul") == 0;
    if (options->reason && !annuls)
        return fail_option(message, "--reason", ": of no use but with `ratings annul`");
    if (annuls && (!options->entry || !options->reason))
        return fail_option(message, "ratings annul",
                           " needs the number of an entry, and a --reason");
    if (asked && !annuls && strcmp(options->file, "rebuild") != 0)
        return fail_option(message, "ratings",
                           " can be told to rebuild, or to annul, and nothing else");
    if (asked && !annuls && options->entry)
        return fail_option(message, options->entry, ": not understood");
    return true;
}

/* What no single row can say. */
static bool complete_options(struct options *options, const char *(*environment)(const char *name),
                             char message[static OPTIONS_MESSAGE_MAX])
{
    struct option_list *listen = &options->listen;
    options->runtime = environment("RUNTIME_DIRECTORY");
    options->credentials = environment("CREDENTIALS_DIRECTORY");
    if (options->log_level_name)
        (void)log_level_find(&options->log_level, options->log_level_name);
    if (listen->count == 0)
        listen->items[listen->count++] = "127.0.0.1:7400";
    if (!node_is_sound(options, message))
        return false;
    if (!accounts_are_sound(options, message))
        return false;
    if (options->json && options->command != COMMAND_STATUS)
        return fail_option(message, "--json", ": of no use but with `status`");
    if (options->write && options->command != COMMAND_RATINGS)
        return fail_option(message, "--write", ": of no use but with `ratings rebuild`");
    if (!ratings_are_sound(options, message))
        return false;
    if (options->force && options->command != COMMAND_BACKUP)
        return fail_option(message, "--force", ": of no use but with `backup`");
    if ((options->command == COMMAND_CHECK && options->file) || only_asks_database(options))
        return true;
    return options->data || default_data(options, environment, message);
}

bool options_read(struct options *options, int argc, char **argv,
                  const char *(*environment)(const char *name),
                  char message[static OPTIONS_MESSAGE_MAX])
{
    struct options_parsed parsed;
    *options = (struct options){.log_level = LOG_INFO};
    const struct option_table tables[] = {{rows, options}, {limits, options}};
    const struct option_environment variables = {"TALUVA_", environment};
    switch (options_parse(tables, 2, &variables, argc - 1, argv + 1, &parsed)) {
    case OPTIONS_OK:
        return read_command(options, &parsed, message) && one_store(options, &parsed, message) &&
               complete_options(options, environment, message);
    case OPTIONS_HELP:
        options->command = COMMAND_HELP;
        return true;
    case OPTIONS_VERSION:
        options->command = COMMAND_VERSION;
        return true;
    case OPTIONS_BAD:
        return fail_option(message, parsed.problem, "");
    }
    return false;
}

void options_help(FILE *out)
{
    fputs(
        "usage: taluvad [OPTION]...\n"
        "       taluvad [--data DIR] backup [--force] FILE\n"
        "       taluvad [--data DIR] restore FILE\n"
        "       taluvad [--data DIR] check [FILE]\n"
        "       taluvad [--data DIR] rotate-key\n"
        "       taluvad [--data DIR] ratings rebuild [--write]\n"
        "       taluvad [--data DIR] ratings annul N --reason TEXT\n"
        "       taluvad --store-file URLFILE migrate [FILE]\n"
        "       taluvad --store-file URLFILE parts [N]\n"
        "       taluvad --store-file URLFILE status [--json]\n"
        "       taluvad --store-file URLFILE forget NODE\n"
        "       taluvad [OPTION]... check-node\n\n"
        "Serves networked games of Taluva: WebSockets at /ws, the browser client at /.\n"
        "`backup` copies the store, also while a server is using it; the keys are not in it:\n"
        "copy DIR/signing-keys too.\n"
        "`restore` puts such a copy in place of the store of a server that is not running; the\n"
        "store that was there is kept.\n"
        "`check` says what is damaged in FILE, which may be a backup, or else in the store\n"
        "of a server that is not running. It writes nothing.\n"
        "`rotate-key` makes a new key to sign records with, for a server that is not running;\n"
        "earlier keys are kept, so that what they have signed can still be checked.\n"
        "`ratings rebuild` computes all ratings from the book again, for a server that is not\n"
        "running, and says where those in the store differ; --write puts them right.\n"
        "`ratings annul` adds to the book that the match of entry N does not count, and gives\n"
        "back what was lost by it.\n"
        "`migrate` makes the schema in an empty PostgreSQL database, or brings it to this\n"
        "program's version. With FILE it copies the embedded store in it, which no server may\n"
        "be using, into such a database.\n"
        "`parts` says into how many parts the site in a PostgreSQL database is divided, or\n"
        "divides it into N, while no server uses it.\n"
        "`status` shows the site in a PostgreSQL database: who lives, who has what, and what\n"
        "is wrong; then it ends with 1.\n"
        "`forget` takes the name of a node that does not come back out of it.\n"
        "`check-node`, with the options that a node is to be started with, or runs with, says\n"
        "whether it has all that it needs: database, keys, clock, certificate, links both ways.\n\n"
        "Each option can also be given as an environment variable: --log-level as\n"
        "TALUVA_LOG_LEVEL. Defaults are in brackets.\n\n",
        out);
    option_rows_print(rows, out);
    fputs("  -h, --help, -V, --version\n\nLimits, each a number:\n\n", out);
    option_rows_print(limits, out);
    fputs("\nSIGTERM stops the server after everything is stored, SIGHUP reads the TLS files and\n"
          "the one of --name-patterns again.\n",
          out);
}
