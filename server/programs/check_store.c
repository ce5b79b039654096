#include "check_store.h"

#include <hub/check.h>
#include <stdio.h>
#include <store/store.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

struct checking {
    struct hub_check live, archived;
    size_t findings; /* that are of no room */
};

static void say_room(void *ctx, const char *room_id, const char *why)
{
    (void)ctx;
    printf("room %s: %s\n", room_id, why);
}

static void say_finding(void *ctx, const char *what)
{
    struct checking *checking = ctx;
    checking->findings++;
    printf("%s\n", what);
}

static void say_totals(const struct checking *checking, const char *path)
{
    const struct hub_check *live = &checking->live, *archived = &checking->archived;
    printf("%s: %zu sessions, %zu live rooms, %zu archived rooms, %zu events; "
           "%zu rooms damaged, %zu other findings\n",
           path, live->sessions, live->rooms, archived->rooms, live->events + archived->events,
           live->damaged_rooms + archived->damaged_rooms, checking->findings);
}

static enum store_result look_at(struct checking *checking, const char *path,
                                 char message[STORE_MESSAGE_MAX])
{
    const struct store_check check = {hub_check_sink(&checking->live),
                                      hub_check_sink(&checking->archived), say_finding, checking};
    enum store_result result = sqlite_store_check(path, &check, message);
    hub_check_end(&checking->live);
    hub_check_end(&checking->archived);
    return result;
}

static bool is_whole(const struct checking *checking)
{
    return checking->live.damaged_rooms + checking->archived.damaged_rooms == 0 &&
           checking->findings == 0;
}

int check_store(const char *path, const struct game_type *const games[])
{
    char message[STORE_MESSAGE_MAX] = "";
    struct checking checking = {.live = {.games = games, .damaged = say_room},
                                .archived = {.games = games, .over = true, .damaged = say_room}};
    enum store_result result = look_at(&checking, path, message);
    if (result == STORE_OK)
        say_totals(&checking, path);
    else
        fprintf(stderr, "taluvad: %s\n", message);
    switch (result) {
    case STORE_OK:
        return is_whole(&checking) ? EX_OK : EX_DATAERR;
    case STORE_CORRUPT:
    case STORE_NEWER:
        return EX_DATAERR;
    case STORE_FENCED:
    case STORE_REFUSED:
    case STORE_TAKEN:
    case STORE_CROWDED:
        return EX_TEMPFAIL;
    case STORE_FULL:
    case STORE_FAILED:
        return access(path, R_OK) == 0 ? EX_IOERR : EX_NOINPUT;
    }
    return EX_SOFTWARE;
}
