/*
 * What a program asks by HTTP: with its token (Authorization: Bearer) a request or several, each of
 * which is asked as by a client that says hello with that token. So the token opens what it opens
 * there, for no more than its scopes, at the same price, wherever in the site it belongs.
 *
 *     GET  /api/me/games, /api/me/games/after/ROOM      one page of `games`
 *     GET  /api/me/NAME                                 what is kept (protocol/export.h)
 *     POST /api/me/rooms                                a `create` for each of {"id", "rooms"}
 *
 * The requests go one after the other: one is sent when the one before has been answered.
 */
#ifndef SITE_PROGRAM_H
#define SITE_PROGRAM_H

#include <hub/hub.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct site;
struct site_program;

enum {
    SITE_PROGRAMS_MAX = 64, /* under way at once at this node; beyond it is 503 */
    SITE_PROGRAMS_OF_ADDRESS = SITE_PROGRAMS_MAX / 4, /* ... of one address; beyond it is 429 */
    SITE_PROGRAM_ROOMS_MAX = 20,                      /* of one request */
    SITE_PROGRAM_BYTES = 1048576,                     /* of one answer */
};

/* Borrowed for the call. */
struct site_program_asked {
    const char *path;
    const char *token; /* NULL: none was sent; else what stands behind "Bearer" */
    const void *body;  /* of POST */
    size_t len;
};

struct site_program_told {
    struct hub_http_answer answer;
    const char
        *scope; /* static: of 403, for want of which it is refused; NULL: for another reason */
};

/*
 * As a peer of the site's (site_program_peer), which has output when there may be an answer. NULL:
 * it is answered now. `address` pays.
 */
struct site_program *site_program_begin(struct site *site, const struct site_program_asked *asked,
                                        const uint8_t address[static 16], int64_t now_ms,
                                        struct site_program_told *told);
struct hub_peer site_program_peer(const struct site_program *program);
/* Looks at what has come for it. True: that is the answer, and the program is gone. */
bool site_program_take(struct site_program *program, int64_t now_ms,
                       struct site_program_told *told);
/* Nobody waits for it any more. NULL is allowed. */
void site_program_end(struct site_program *program, int64_t now_ms);

#endif
