/*
 * Looks up host names without blocking the loop: each in a thread of its own, as getaddrinfo
 * cannot be interrupted, and a program that ends must not wait for a name server that is silent.
 * (uv_getaddrinfo uses threads as well, but its loop cannot be closed before the answer has come.)
 *
 * Knows nothing of sockets. Callbacks come from the loop, never from within a call.
 */
#ifndef WIRE_LOOKUP_H
#define WIRE_LOOKUP_H

#include <netdb.h>
#include <stdbool.h>
#include <uv.h>
#include <wire/url.h>

enum {
    LOOKUP_ADDRESSES_MAX = 8,
    LOOKUP_ADDRESS = 64,    /* bytes of one, as text, with the interface where it needs one */
    LOOKUP_AT_ONCE_MAX = 8, /* threads; a client asks for one name at a time */
};

struct lookup_result {
    int error; /* EAI_..., 0: none */
    int count; /* in the order in which they are to be tried */
    char addresses[LOOKUP_ADDRESSES_MAX][LOOKUP_ADDRESS];
};

/* Blocks; is called in a thread. `result` is all zeros. */
typedef void lookup_resolve_fn(const char *host, struct lookup_result *result);

/* Asks the system, as its /etc/nsswitch.conf says. An address written as such is its own result. */
void lookup_resolve(const char *host, struct lookup_result *result);

/* Is it a numeric address, which needs no look-up? */
bool lookup_is_address(const char *host);

typedef void lookup_done_fn(void *user, const char *host, const struct lookup_result *result);

struct lookups;

/* NULL if memory ran out. */
struct lookups *lookups_create(uv_loop_t *loop, lookup_done_fn *done, void *user);

/* For tests: another resolver than the system's, for what is asked from now on. */
void lookups_resolve_with(struct lookups *lookups, lookup_resolve_fn *resolve);

/*
 * `done` will be told about this host, once, however often it was asked meanwhile. False: no
 * thread could be started, and `done` is not called.
 */
bool lookups_ask(struct lookups *lookups, const char *host);

/* What is under way is abandoned: nobody waits for its thread. The loop has to run once more. */
void lookups_destroy(struct lookups *lookups);

#endif
