/*
 * Looks back at a finished match from its record: how good its turns were. The record has been
 * checked against the rules before a game is asked.
 */
#ifndef CLI_ANALYSE_H
#define CLI_ANALYSE_H

#include <cli/command.h>
#include <cli/engine.h>
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
    /* Who is asked; NULL: this program's own computer. Only for games that have engines. */
    const struct engine_asker *engine;
    const char *engine_name; /* for the heading */
    int64_t ms;              /* how long it may think about a question; below 0: as it likes */
    FILE *out;
};

#endif
