#include "restore_store.h"

#include "check_store.h"
#include "choose_store.h"
#include <base/new_file.h>
#include <stdio.h>
#include <store/store.h>
#include <sys/stat.h>
#include <sysexits.h>

static void say_done(const char *where, const char *copy, const char *before)
{
    printf("restored: the store in %s is now what %s holds\n", where, copy);
    if (before[0])
        printf("kept: the store that was there is %s; remove it when it is not needed any more\n",
               before);
    puts("not in a copy, and left as they are: signing-keys, push-key");
}

int restore_store(const struct options *options, const struct game_type *const games[])
{
    static char before[STORE_PATH_MAX];
    char message[STORE_MESSAGE_MAX];
    struct store_choice choice;
    umask(077);
    new_file_drop_on_signals();
    int status = store_choose_folder(&choice, options);
    if (status == EX_OK)
        status = check_store(options->file, games);
    if (status != EX_OK)
        return status;
    const enum store_result result =
        sqlite_store_restore(choice.where, options->file, before, message);
    if (result == STORE_OK) {
        say_done(choice.where, options->file, before);
        return EX_OK;
    }
    fprintf(stderr, "taluvad: %s\n", message);
    return exit_status_of(result);
}
