/*
 * The real hub without sockets, and a few clients, in one thread, with a store that answers at once
 * (or fails when `store_fails` is set), a clock that only pass() advances, and random numbers from
 * a seed. Every message is printed on a line:
 *
 *     {"conn": "3", "dir": "in" | "out", "ok": false, "msg": ...}
 *
 * The same calls print the same lines. Misuse and unexpected results fail an assertion.
 */
#ifndef TESTS_SCHEMA_DRIVER_H
#define TESTS_SCHEMA_DRIVER_H

#include "../support/hub_driver.h"
#include <hub/hub.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum { CLIENTS = 6 };

struct client {
    struct hub_link link;
    int number;    /* of the connection, never reused */
    int64_t id;    /* of its next request */
    json_t *reply; /* the last one */
};

extern struct client clients[CLIENTS];
extern bool store_fails;
extern bool lobby_talks; /* before start_hub: everybody talks in the lobby */

void start_hub(const struct game_type *const *games, uint64_t seed); /* games ends with NULL */
void drain_hub(void);
void stop_hub(void);

unsigned below(unsigned n); /* a random number */
void pass(int64_t ms);      /* advances the clock */

void connect_client(struct client *client);
void disconnect(struct client *client);

/* Sends `text`, any text at all; `valid`: it is a request that the schemas allow. */
void say(struct client *client, const char *text, bool valid);

/* Sends `{"id": ID, ` and the formatted rest, with the next id. */
__attribute__((format(printf, 2, 3))) void ask(struct client *client, const char *format, ...);

/* `ok` of the last reply, or NULL; and a string in it, or "". */
const json_t *ok_of(const struct client *client);
const char *ok_text(const struct client *client, const char *key);

#endif
