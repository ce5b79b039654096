/*
 * The people at one terminal, where the server is in this process: each has a session, and so a
 * view of the room, of their own. One of them sits at the keyboard; what comes for the others is
 * kept by their clients and noted.
 */
#ifndef CLI_HOTSEAT_H
#define CLI_HOTSEAT_H

#include <wire/client.h>

enum { HOTSEAT_MAX = 5, HOTSEAT_NOBODY = -1 };

struct hotseat;

struct hotseat_config {
    const struct wire_carrier *carrier;
    struct wire_client_config client; /* but for the name */
    const char *const *names;
    int count;                        /* 1..HOTSEAT_MAX */
    struct wire_client_events events; /* for the one at the keyboard: at first the first */
    /* After that: `person` was told of an event. */
    void (*told)(void *user, int person, const struct wire_room *room, const json_t *push);
    void *user;
};

/* NULL if memory ran out. The names outlive it. */
struct hotseat *hotseat_create(const struct hotseat_config *config);
/* Outside of callbacks. NULL is allowed. */
void hotseat_destroy(struct hotseat *hotseat);

int hotseat_count(const struct hotseat *hotseat);
const char *hotseat_name(const struct hotseat *hotseat, int person);
struct wire_client *hotseat_client(const struct hotseat *hotseat, int person);

/* Who sits at the keyboard; HOTSEAT_NOBODY: nobody. */
int hotseat_at(const struct hotseat *hotseat);
void hotseat_sit(struct hotseat *hotseat, int person);

#endif
