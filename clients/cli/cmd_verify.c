#include "trust.h"
#include <cli/file.h>
#include <string.h>

struct verify_options {
    const char *key, *server, *ca;
};

static const struct option_row rows[] = {
    {.name = "key",
     .letter = 'k',
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "check the signature with these public keys, a JWK set",
     .offset = offsetof(struct verify_options, key)},
    {.name = "server",
     .letter = 's',
     .kind = OPTION_TEXT,
     .value = "URL",
     .help = "check it with the keys of this server, ws:// or wss://, which is tried for 10 s",
     .offset = offsetof(struct verify_options, server)},
    {.name = "ca",
     .kind = OPTION_TEXT,
     .value = "FILE",
     .help = "wss: trust this certificate authority (PEM) and no other",
     .offset = offsetof(struct verify_options, ca)},
    {.name = NULL},
};

/* *used: is a signature to be checked at all? */
static int find_trust(const struct invocation *invocation, struct trust *trust,
                      char shown[WIRE_URL_TEXT], bool *used)
{
    const struct verify_options *options = invocation->options;
    *used = options->key || options->server;
    if (options->key && options->server) {
        fputs("taluva: --key and --server: one of them\n", stderr);
        return EXIT_USAGE;
    }
    if (options->ca && !options->server) {
        fputs("taluva: --ca goes with --server\n", stderr);
        return EXIT_USAGE;
    }
    if (options->key)
        return trust_file(trust, options->key);
    if (!options->server)
        return EXIT_OK;
    struct invocation asking = *invocation;
    asking.online = (struct online_options){
        .server = options->server, .ca = options->ca, .patience_s = COMMAND_PATIENCE_S};
    return trust_server(trust, &asking, shown);
}

static int verify_file(const struct invocation *invocation, const struct file *file)
{
    static struct trust trust;
    char shown[WIRE_URL_TEXT];
    bool used;
    const int found = find_trust(invocation, &trust, shown, &used);
    if (found != EXIT_OK)
        return found;
    return verify_record(invocation->operands[0], file->bytes, file->len, used ? &trust : NULL,
                         stdout);
}

static int run_command(const struct invocation *invocation)
{
    struct file file;
    if (!file_read(&file, invocation->operands[0]))
        return EXIT_FILE;
    file_unix_lines(&file);
    const int status = verify_file(invocation, &file);
    file_release(&file);
    return status;
}

const struct command command_verify = {
    .name = "verify",
    .operands = "RECORD",
    .summary = "Prove that a match was dealt and played fairly",
    .details =
        "Shows from the text record of a finished match, without asking any server, that the\n"
        "revealed secret is the one the server had committed to before anybody gave a nonce, that\n"
        "what was drawn (the first player, the tiles, the births) follows from it and all nonces,\n"
        "and that every turn was legal and led to the result. Compare the commitment and your\n"
        "nonce with what your client showed before the start. `-` is the standard input.\n\n"
        "No rule can prove that a player resigned or ran out of time, or that a match was called\n"
        "off, abandoned or closed. It is said where the end of a match rests on such a word, and "
        "the exit\n"
        "status is then 8. Names, times and whatever else neither the secret nor the rules cover\n"
        "are listed too.\n\n"
        "For all of that stands the server's signature. --server asks the server for its keys,\n"
        "with the profile `default`; --key takes them from a file, such as was fetched from\n"
        "/.well-known/taluva-keys.json. The exit status is then 0 only if the record is signed\n"
        "with one of them, 8 if it is not signed or with another key, and 1 if the signature is\n"
        "false. Without either, a signature is mentioned and not checked.",
    .operands_min = 1,
    .operands_max = 1,
    .rows = rows,
    .options_size = sizeof(struct verify_options),
    .run = run_command,
};
