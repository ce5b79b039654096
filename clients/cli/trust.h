/*
 * Where the keys come from by which `taluva verify` checks signatures: a file, or the server.
 */
#ifndef CLI_TRUST_H
#define CLI_TRUST_H

#include <cli/command.h>
#include <cli/verify.h>
#include <wire/url.h>

/* A JWK set, as a server has it at /.well-known/taluva-keys.json. EXIT_OK, or a message was shown.
 */
int trust_file(struct trust *trust, const char *path);

/*
 * The keys that the server names in its answer to `hello`, with these online options. `shown` is
 * where the server's address is kept, for trust->source.
 */
int trust_server(struct trust *trust, const struct invocation *invocation,
                 char shown[WIRE_URL_TEXT]);

#endif
