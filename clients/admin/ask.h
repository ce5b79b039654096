/*
 * The connection to a server's admin socket: one request after the other, each with its answer.
 * Failures are said on stderr, with what to do, and handed back as an exit status of sysexits.
 */
#ifndef ADMIN_ASK_H
#define ADMIN_ASK_H

#include <jansson.h>
#include <stddef.h>

enum { ASK_PATH_MAX = 108, ASK_ANSWER_MAX = 2097152 };

struct asker {
    int fd;
    int patience_s; /* how long one answer may take, however it comes */
    json_int_t id;
    char *line; /* what has come */
    size_t len, size;
};

/*
 * `path` NULL: the first of the usual places where there is a socket. 0, or an exit status; in both
 * cases ask_close follows.
 */
int ask_open(struct asker *asker, const char *path, int patience_s);
void ask_close(struct asker *asker);

/*
 * Sends `request`, to which the id is added, and waits; for some seconds again if the server is
 * busy. 0 and *ok, a new reference; or an exit
 * status, and a refusal has been said.
 */
int ask(struct asker *asker, json_t *request, json_t **ok);

#endif
