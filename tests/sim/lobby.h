/*
 * Talk in the lobby of a world: clients listen in one of its rooms, say something and take it away
 * again. What is expected: nobody is told a line that nobody has said, nor in another room, nor
 * twice under two numbers, nor two under one, also of servers that came one after the other;
 * whoever asks is told each line that was said by then and that it lacks, if the server is still
 * the one that has it; and none that was taken away by then.
 */
#ifndef SIM_LOBBY_H
#define SIM_LOBBY_H

#include "../support/rng.h"
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ask;
struct client;
struct sim;

/* A world in so many has it: a draw would make another world of each. */
enum { LOBBY_EACH = 8, LOBBY_AT = 1, LOBBY_TEXT = 32 };

struct lobby_line {
    int64_t n, at_ms; /* as the server has it; 0: nobody was told yet */
    unsigned room;
    char text[LOBBY_TEXT];
    unsigned by; /* which client says it */
    int start;   /* of the server that was there when it was asked to be said */
    /* When it was first known to be said, and to be taken away; INT64_MAX: it is not. */
    int64_t said_ms, gone_ms;
    bool dropping; /* somebody has asked for that */
};

/* What is told is changed before it is looked at: faults that are put in on purpose (mutants.h). */
enum lobby_spoilt { LOBBY_WELL, LOBBY_UNTOLD, LOBBY_OTHER_NUMBER, LOBBY_STAYS };

struct lobby {
    struct rng rng; /* its own, so that the rest of the world goes on as it would */
    enum lobby_spoilt spoilt;
    struct lobby_line *lines;
    size_t count, size;
};

void lobby_release(struct lobby *lobby);
/* The client does something there, or not. */
void lobby_act(struct sim *sim, struct client *client);
/* It is answered. */
void lobby_receive(struct sim *sim, struct client *client, const struct ask *ask, const json_t *ok);

#endif
