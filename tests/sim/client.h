/*
 * What the parts of a client share: client.c keeps what it receives and checks it, player.c and
 * seeker.c decide what it does next.
 */
#ifndef SIM_CLIENT_H
#define SIM_CLIENT_H

#include "sim.h"

const char *text_of(const json_t *object, const char *key);  /* "" if absent */
json_int_t number_of(const json_t *object, const char *key); /* -1 if absent */

/* The client's own room of that id; NULL: none. */
struct client_room *room_find(struct client *client, const char *id);
/* Added if it is not there; may push out one that is of no use. NULL: no place. */
struct client_room *room_add(struct client *client, const char *id, const char *code);
void room_forget(struct client *client, struct client_room *room);

/* A free place for a request; NULL: too many wait for an answer. */
struct ask *ask_begin(struct client *client);
struct ask *ask_begin_hello(struct client *client);
/* Takes over `members` (NULL: none); sends it. */
void ask_send(struct sim *sim, struct client *client, struct ask *ask, const char *op,
              const char *room, json_t *members);
bool ask_pending(const struct client *client, const char *room);
void ask_release(struct ask *ask);

/* Claims a handle now and then, and `seeks` a match. */
void client_seek(struct sim *sim, struct client *client, bool seeks);

/* A move out of the answer to `moves`. */
void play_move(struct sim *sim, struct client *client, const char *room, const json_t *moves);

#endif
