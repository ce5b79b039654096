/*
 * A server in this process: the hub that taluvad runs, without sockets, files or other users. Its
 * clients are those of wire/client.h, through a carrier, so that everything above them is the same
 * as with a server elsewhere: the protocol, the judge of the rules, the computer players.
 *
 * Runs on one libuv loop. What the hub wants to be made durable is answered at once and kept
 * nowhere: matches end with the server. Answers of computer players are thought of on libuv's
 * worker threads, so the loop is never kept waiting.
 */
#ifndef LOCAL_SERVER_H
#define LOCAL_SERVER_H

#include <wire/carrier.h>

struct local_server;
struct game_type;

struct local_server_config {
    const struct game_type *const *games; /* NULL at the end; the first is the default */
    const char *name;                     /* with its version, as records name it; outlives it */
    int64_t computer_ms;                  /* pause before a computer player moves */
};

/* NULL if memory ran out. */
struct local_server *local_server_create(uv_loop_t *loop, const struct local_server_config *config);

/* For wire_client_create; the address that a client asks for is ignored. */
struct wire_carrier local_server_carrier(struct local_server *server);

/*
 * Ends it; its clients have ended before. It lets go of the loop, which the caller then runs
 * until nothing is left in it, and frees itself there. NULL is allowed.
 */
void local_server_destroy(struct local_server *server);

#endif
