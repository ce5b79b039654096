/*
 * The real hub without a socket, and a few clients of it, in one thread: a store that answers at
 * once (or fails when told to), a clock that goes when told to, chance out of a seed. What is said
 * is printed, a line each:
 *
 *     {"conn": "3", "dir": "in" | "out", "ok": false, "msg": ...}
 *
 * The same calls print the same lines. Misuse and anything unexpected is asserted.
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
    int number;    /* of the connection, never used again */
    int64_t id;    /* of its next request */
    json_t *reply; /* the last one */
};

extern struct client clients[CLIENTS];
extern bool store_fails;

void start_hub(uint64_t seed);
void drain_hub(void);
void stop_hub(void);

unsigned below(unsigned n); /* a random number */
void pass(int64_t ms);      /* time */

void connect_client(struct client *client);
void disconnect(struct client *client);

/* Sends `text`, which may be anything; `valid`: it is a proper request. */
void say(struct client *client, const char *text, bool valid);

/* Sends {"id": the next one, and what is formatted. */
__attribute__((format(printf, 2, 3))) void ask(struct client *client, const char *format, ...);

/* Of the last reply: `ok`, or NULL; and a string in it, or "". */
const json_t *ok_of(const struct client *client);
const char *ok_text(const struct client *client, const char *key);

#endif
