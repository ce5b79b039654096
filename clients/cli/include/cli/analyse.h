/*
 * Looks back at a finished match from its record: how good its turns were. The record has been
 * checked against the rules before a game is asked.
 */
#ifndef CLI_ANALYSE_H
#define CLI_ANALYSE_H

#include <cli/command.h>
#include <protocol/record.h>

enum analyse_form {
    ANALYSE_TEXT,   /* for people */
    ANALYSE_JSON,   /* one value, as the server answers */
    ANALYSE_RECORD, /* the record with what was found written into it */
};

enum { ANALYSE_USUAL = -1 };

struct analyse_wish {
    const char *where; /* the record's name, for messages */
    enum analyse_form form;
    int64_t simulations; /* for each question; or ANALYSE_USUAL */
    FILE *out;
};

#endif
