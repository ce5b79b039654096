#include "migrate.h"

#include "choose_store.h"
#include "copy_store.h"
#include <postgres/parts.h>
#include <sysexits.h>

static void say_versions(const struct postgres_versions *versions)
{
    printf("schema: version %d, ", versions->now);
    if (versions->before == 0)
        puts("made");
    else if (versions->before < versions->now)
        printf("was %d\n", versions->before);
    else if (versions->now > versions->known)
        printf("of a newer program; this one, which knows %d, can use it\n", versions->known);
    else
        puts("nothing to do");
}

static int bring_schema(const struct store_choice *choice)
{
    struct postgres_versions versions;
    struct postgres_said said;
    if (!choice->database) {
        fputs("taluvad: --store or --store-file has to name a PostgreSQL database: an embedded "
              "store is migrated when a server opens it\n",
              stderr);
        return EX_USAGE;
    }
    const enum postgres_problem problem = postgres_migrate(choice->where, &versions, &said);
    if (problem != POSTGRES_FINE)
        return store_database_failed(said.name, problem, said.message);
    say_versions(&versions);
    return EX_OK;
}

int migrate(const struct options *options)
{
    char message[STORE_MESSAGE_MAX];
    struct store_choice choice;
    int status = store_choose(&choice, options, message);
    if (status != EX_OK) {
        fprintf(stderr, "taluvad: %s\n", message);
        return status;
    }
    status = options->file ? copy_store(options->file, &choice) : bring_schema(&choice);
    store_choice_release(&choice);
    return status;
}
