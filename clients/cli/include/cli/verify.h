/*
 * Proves from the text record of a match what can be proven, and says what cannot: what was drawn,
 * by the secret that the server had committed to; turns and result, by the rules. Needs no server.
 */
#ifndef CLI_VERIFY_H
#define CLI_VERIFY_H

#include <stddef.h>
#include <stdio.h>

/*
 * What was found is written to `out`. An enum exit_code: EXIT_OK, EXIT_DIFFERS if the record is
 * false, EXIT_UNPROVEN if nothing is wrong but how the match ended is the record's word alone.
 */
int verify_record(const char *path, const char *bytes, size_t len, FILE *out);

#endif
