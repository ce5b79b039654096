/*
 * A room of a server in this process, and those who are connected to it: the host and the seats.
 */
#ifndef TEST_STRENGTH_DUEL_TABLE_H
#define TEST_STRENGTH_DUEL_TABLE_H

#include "../support/hub_driver.h"
#include "../support/model_store.h"
#include <jansson.h>
#include <protocol/limits.h>

enum { DUEL_SEATS = 5, DUEL_LINKS = DUEL_SEATS + 1, DUEL_HOST = DUEL_SEATS };

struct duel_table {
    struct hub_config config;
    struct hub *hub;
    struct model_store store;
    uint64_t random;
    int64_t begun_ms;
    char room[PROTOCOL_ROOM_BYTES + 1];
    struct duel_link {
        struct hub_link link;
        int64_t next_id;
        json_t *reply; /* the latest that has come */
        json_t *state; /* of the room, where it was joined */
        int64_t seq;
    } links[DUEL_LINKS];
    /* Each message but the answer to `hello`. May be NULL. */
    void (*heard)(void *ctx, size_t link, const json_t *message, const char *bytes, size_t len);
    void *ctx;
};

/* A server that draws from the seed. False: memory ran out. */
bool duel_table_init(struct duel_table *table, uint64_t seed);
void duel_table_release(struct duel_table *table);

/* Connects and says hello: the answer, borrowed; NULL: refused. */
const json_t *duel_table_hello(struct duel_table *table, size_t link, const char *name);
/* The id for the next request of this link. */
int64_t duel_table_id(struct duel_table *table, size_t link);
/* Sends a request (taken over, without its id), runs all that is due; the reply, borrowed. */
const json_t *duel_table_ask(struct duel_table *table, size_t link, json_t *request);
/* Sends what has an id already. */
void duel_table_send(struct duel_table *table, size_t link, const json_t *request);

#endif
