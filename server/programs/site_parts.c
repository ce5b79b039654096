#include "site_parts.h"

#include "choose_store.h"
#include <hub/part.h>
#include <postgres/parts.h>
#include <stdlib.h>
#include <sysexits.h>

static int fail_because(const char *why, int status)
{
    fprintf(stderr, "taluvad: %s\n", why);
    return status;
}

/* 0: it is none. */
static unsigned number_of(const char *text)
{
    char *end;
    const unsigned long number = strtoul(text, &end, 10);
    return *text >= '1' && *text <= '9' && *end == '\0' && number <= PARTS_MAX ? (unsigned)number
                                                                               : 0;
}

static int ask_or_set(const char *url, unsigned parts)
{
    struct postgres_said said;
    const bool change = parts > 0;
    const enum postgres_problem problem =
        change ? postgres_parts_set(url, parts, &said) : postgres_parts_get(url, &parts, &said);
    if (problem != POSTGRES_FINE)
        return store_database_failed(said.name, problem, said.message);
    printf("%u\n", parts);
    return EX_OK;
}

int site_parts(const struct options *options)
{
    char message[STORE_MESSAGE_MAX];
    struct store_choice choice;
    const unsigned parts = options->file ? number_of(options->file) : 0;
    if (options->file && parts == 0)
        return fail_because("the number of parts is one from 1 to 64", EX_USAGE);
    const int status = store_choose(&choice, options, message);
    if (status != EX_OK)
        return fail_because(message, status);
    const int result =
        choice.database ? ask_or_set(choice.where, parts)
                        : fail_because("only a site in a PostgreSQL database has parts", EX_USAGE);
    store_choice_release(&choice);
    return result;
}
