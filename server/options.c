#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_BYTES = 48, VARIABLE_MAX_BYTES = NAME_MAX_BYTES + 7 };

enum option_kind { TEXT, LIST, SWITCH, LEVEL };

struct option {
    const char *flag; /* without the dashes; the variable is TALUVA_ and this in capitals */
    enum option_kind kind;
    size_t at; /* in struct options */
    const char *value, *standard, *help;
};

#define FIELD(name) offsetof(struct options, name)
static const struct option table[] = {
    {"listen", LIST, FIELD(listen), "ADDRESS:PORT", "127.0.0.1:7400",
     "where to listen; may be repeated; also [ADDRESS]:PORT, unix:PATH; port 0: any free port"},
    {"data", TEXT, FIELD(data), "DIR", "$STATE_DIRECTORY or ~/.local/state/taluva",
     "folder of the store, created if it does not exist"},
    {"web", TEXT, FIELD(web), "DIR", "none", "folder of the browser client, to be served at /"},
    {"origin", LIST, FIELD(origins), "ORIGIN", "the same host",
     "web page that may connect too, as https://club.example; may be repeated"},
    {"trusted-proxy", LIST, FIELD(proxies), "NETWORK", "none",
     "address or network whose X-Forwarded-For is trusted; 'unix' for Unix sockets"},
    {"tls-cert", TEXT, FIELD(tls_cert), "FILE", "none",
     "certificate chain, PEM; SIGHUP reads it again"},
    {"tls-key", TEXT, FIELD(tls_key), "FILE", "none", "its private key, PEM"},
    {"metrics-everywhere", SWITCH, FIELD(metrics_everywhere), NULL, "only this machine",
     "let everybody read /metrics"},
    {"log-level", LEVEL, FIELD(log_level), "LEVEL", "info", "error, warn, info or debug"},
};
enum { OPTIONS = sizeof table / sizeof table[0] };

struct parsing {
    struct options *options;
    char *message;
};

static bool fail(const struct parsing *parsing, const char *format, const char *a, const char *b)
{
    int len = snprintf(parsing->message, OPTIONS_MESSAGE_MAX, "%.200s%s", a, format);
    if (b && len > 0 && len < OPTIONS_MESSAGE_MAX)
        snprintf(parsing->message + len, (size_t)(OPTIONS_MESSAGE_MAX - len), "%.200s", b);
    return false;
}

static void *field(const struct parsing *parsing, const struct option *option)
{
    return (char *)parsing->options + option->at;
}

static bool list_add(const struct parsing *parsing, const struct option *option, const char *value)
{
    struct options_list *list = field(parsing, option);
    if (list->count >= OPTIONS_LIST_MAX)
        return fail(parsing, ": too many", option->flag, NULL);
    list->items[list->count++] = value;
    return true;
}

/* From the environment: separated by commas or blanks. */
static bool list_split(const struct parsing *parsing, const struct option *option,
                       const char *value)
{
    struct options_list *list = field(parsing, option);
    const size_t len = strlen(value);
    if (len >= sizeof list->text)
        return fail(parsing, ": too long", option->flag, NULL);
    memcpy(list->text, value, len + 1);
    for (char *rest = list->text, *item; (item = strtok_r(rest, ", \t", &rest));) {
        if (!list_add(parsing, option, item))
            return false;
    }
    return true;
}

static bool set_switch(const struct parsing *parsing, const struct option *option,
                       const char *value)
{
    bool *on = field(parsing, option);
    if (strcmp(value, "1") != 0 && strcmp(value, "0") != 0)
        return fail(parsing, " is 1 or 0, not ", option->flag, value);
    *on = *value == '1';
    return true;
}

static bool set_option(const struct parsing *parsing, const struct option *option,
                       const char *value, bool from_environment)
{
    switch (option->kind) {
    case TEXT:
        *(const char **)field(parsing, option) = value;
        return *value || fail(parsing, " must not be empty", option->flag, NULL);
    case LIST:
        return from_environment ? list_split(parsing, option, value)
                                : list_add(parsing, option, value);
    case SWITCH:
        return set_switch(parsing, option, value);
    case LEVEL:
        return log_level_find(field(parsing, option), value) ||
               fail(parsing, " is error, warn, info or debug, not ", option->flag, value);
    }
    return false;
}

/* ---- limits ---- */

/* All limits of hub and net, one behind the other; NULL behind the last. */
static const struct hub_limit *limit_at(size_t at, bool *is_nets)
{
    size_t hubs = 0;
    while (hub_limit_at(hubs))
        hubs++;
    *is_nets = at >= hubs;
    return *is_nets ? net_limit_at(at - hubs) : hub_limit_at(at);
}

static bool limit_set(const struct parsing *parsing, const struct hub_limit *limit, bool is_nets,
                      const char *flag, const char *text)
{
    char range[80], *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    bool is_number = *text && *end == 0 && errno == 0;
    if (is_number && (is_nets ? net_config_set(&parsing->options->net, limit->name, value)
                              : hub_config_set(&parsing->options->hub, limit->name, value)))
        return true;
    snprintf(range, sizeof range, " is a number from %lld to %lld, not ", (long long)limit->min,
             (long long)limit->max);
    return fail(parsing, range, flag, text);
}

static void limit_flag(const struct hub_limit *limit, char flag[NAME_MAX_BYTES])
{
    snprintf(flag, NAME_MAX_BYTES, "%s", limit->name);
    for (char *at = flag; *at; at++)
        *at = *at == '_' ? '-' : *at;
}

/* ---- the environment ---- */

static void variable_of(const char *flag, char variable[VARIABLE_MAX_BYTES])
{
    snprintf(variable, VARIABLE_MAX_BYTES, "TALUVA_%s", flag);
    for (char *at = variable; *at; at++)
        *at = *at == '-' ? '_' : (char)toupper((unsigned char)*at);
}

static bool read_environment(const struct parsing *parsing,
                             const char *(*environment)(const char *name))
{
    char flag[NAME_MAX_BYTES], variable[VARIABLE_MAX_BYTES];
    const struct hub_limit *limit;
    const char *value;
    bool is_nets;
    for (size_t at = 0; at < OPTIONS; at++) {
        variable_of(table[at].flag, variable);
        if ((value = environment(variable)) && !set_option(parsing, &table[at], value, true))
            return false;
    }
    for (size_t at = 0; (limit = limit_at(at, &is_nets)); at++) {
        limit_flag(limit, flag);
        variable_of(flag, variable);
        if ((value = environment(variable)) && !limit_set(parsing, limit, is_nets, variable, value))
            return false;
    }
    return true;
}

/* ---- the command line ---- */

static bool flag_is(const char *argument, size_t len, const char *flag)
{
    return strlen(flag) == len && memcmp(argument, flag, len) == 0;
}

static const struct option *find_option(const char *argument, size_t len)
{
    for (size_t at = 0; at < OPTIONS; at++) {
        if (flag_is(argument, len, table[at].flag))
            return &table[at];
    }
    return NULL;
}

static const struct hub_limit *find_limit(const char *argument, size_t len, bool *is_nets)
{
    char flag[NAME_MAX_BYTES];
    const struct hub_limit *limit;
    for (size_t at = 0; (limit = limit_at(at, is_nets)); at++) {
        limit_flag(limit, flag);
        if (flag_is(argument, len, flag))
            return limit;
    }
    return NULL;
}

struct arguments {
    char **at; /* the next one; NULL behind the last */
    bool seen[OPTIONS];
};

/* A list on the command line replaces the environment's. */
static void begin_list(const struct parsing *parsing, struct arguments *arguments,
                       const struct option *option)
{
    bool *seen = &arguments->seen[option - table];
    if (option->kind == LIST && !*seen)
        ((struct options_list *)field(parsing, option))->count = 0;
    *seen = true;
}

static bool parse_flag(const struct parsing *parsing, struct arguments *arguments,
                       const char *argument)
{
    bool is_nets;
    const char *equals = strchr(argument, '='), *value = equals ? equals + 1 : NULL;
    const char *name = argument + 2;
    size_t len = equals ? (size_t)(equals - name) : strlen(name);
    const struct option *option = find_option(name, len);
    const struct hub_limit *limit = option ? NULL : find_limit(name, len, &is_nets);
    if (!option && !limit)
        return fail(parsing, ": there is no such option; see --help", argument, NULL);
    if (option && option->kind == SWITCH)
        return value ? fail(parsing, " takes no value", option->flag, NULL)
                     : set_option(parsing, option, "1", false);
    if (!value && !*arguments->at)
        return fail(parsing, " needs a value", argument, NULL);
    if (!value)
        value = *arguments->at++;
    if (limit)
        return limit_set(parsing, limit, is_nets, name, value);
    begin_list(parsing, arguments, option);
    return set_option(parsing, option, value, false);
}

static bool parse_word(const struct parsing *parsing, const char *word)
{
    struct options *options = parsing->options;
    if (options->command == OPTIONS_SERVE && strcmp(word, "backup") == 0) {
        options->command = OPTIONS_BACKUP;
        return true;
    }
    if (options->command == OPTIONS_BACKUP && !options->backup_path) {
        options->backup_path = word;
        return true;
    }
    return fail(parsing, ": not understood; see --help", word, NULL);
}

static bool parse_arguments(const struct parsing *parsing, char **argv)
{
    struct arguments arguments = {argv, {false}};
    struct options *options = parsing->options;
    while (*arguments.at) {
        const char *argument = *arguments.at++;
        bool fine = true;
        if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            options->command = OPTIONS_HELP;
            return true;
        }
        if (strcmp(argument, "--version") == 0) {
            options->command = OPTIONS_VERSION;
            return true;
        }
        if (strcmp(argument, "--") == 0)
            continue;
        if (strncmp(argument, "--", 2) == 0)
            fine = parse_flag(parsing, &arguments, argument);
        else
            fine = parse_word(parsing, argument);
        if (!fine)
            return false;
    }
    if (options->command == OPTIONS_BACKUP && !options->backup_path)
        return fail(parsing, " needs the name of the file to write", "backup", NULL);
    return true;
}

/* systemd passes the folders that it has created; the first one is used. */
static bool default_data(const struct parsing *parsing,
                         const char *(*environment)(const char *name))
{
    struct options *options = parsing->options;
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
           fail(parsing, ": needed, as no default folder is known for the store", "--data", NULL);
}

bool options_parse(struct options *options, int argc, char **argv,
                   const char *(*environment)(const char *name),
                   char message[static OPTIONS_MESSAGE_MAX])
{
    struct parsing parsing = {options, message};
    (void)argc;
    *options = (struct options){.log_level = LOG_INFO};
    hub_config_init(&options->hub);
    net_config_init(&options->net);
    if (!read_environment(&parsing, environment) || !parse_arguments(&parsing, argv + 1))
        return false;
    if (options->command == OPTIONS_HELP || options->command == OPTIONS_VERSION)
        return true;
    if (options->listen.count == 0)
        options->listen.items[options->listen.count++] = "127.0.0.1:7400";
    options->listen.items[options->listen.count] = NULL;
    options->origins.items[options->origins.count] = NULL;
    options->proxies.items[options->proxies.count] = NULL;
    return options->data || default_data(&parsing, environment);
}

void options_help(FILE *out)
{
    char flag[NAME_MAX_BYTES];
    const struct hub_limit *limit;
    bool is_nets;
    fputs("usage: taluvad [OPTION]...\n"
          "       taluvad [--data DIR] backup FILE\n\n"
          "Serves networked games of Taluva: WebSockets at /ws, the browser client at /.\n"
          "`backup` copies the store, also while a server is using it.\n\n"
          "Each option can also be given as an environment variable: --log-level as\n"
          "TALUVA_LOG_LEVEL. Defaults are in brackets.\n\n",
          out);
    for (size_t at = 0; at < OPTIONS; at++)
        fprintf(out, "  --%s%s%s\n        %s [%s]\n", table[at].flag, table[at].value ? " " : "",
                table[at].value ? table[at].value : "", table[at].help, table[at].standard);
    fputs("  --help, --version\n\nLimits, each a number:\n\n", out);
    for (size_t at = 0; (limit = limit_at(at, &is_nets)); at++) {
        limit_flag(limit, flag);
        fprintf(out, "  --%s N\n        %s [%lld]\n", flag, limit->reason,
                (long long)limit->standard);
    }
    fputs("\nSIGTERM stops the server after everything is stored, SIGHUP reads the TLS files "
          "again.\n",
          out);
}
