/*
 * Proves from the text record of a match what can be proven, and says what cannot: what was drawn,
 * by the secret that the server had committed to; turns and result, by the rules; and all else, by
 * the server's signature, for who knows the server's keys. Asks no server.
 */
#ifndef CLI_VERIFY_H
#define CLI_VERIFY_H

#include <protocol/keys.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Keys that are known to be those of one server. */
struct trust {
    struct key_set keys;
    const char *source; /* where they are from, to be shown: a file or a server */
    bool in_clear;      /* they came over a connection that is not encrypted */
};

/*
 * What was found is written to `out`. `trust` NULL: signatures are not checked. An enum exit_code:
 *
 *     EXIT_OK        without `trust`: all is proven that the secret and the rules can prove, and so
 *                    is the end of the match; with it: and the record is signed by one of its keys
 *     EXIT_UNPROVEN  nothing is wrong, but not all of that is proven
 *     EXIT_DIFFERS   the record is false, or its signature is
 *     EXIT_MEMORY
 */
int verify_record(const char *path, const char *bytes, size_t len, const struct trust *trust,
                  FILE *out);

#endif
