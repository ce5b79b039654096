/*
 * A server of TCP on 127.0.0.1 that takes one connection and answers the first bytes with a text,
 * whatever it is, or with silence.
 */
#ifndef TESTS_UNIT_CLIENTS_RAW_SERVER_H
#define TESTS_UNIT_CLIENTS_RAW_SERVER_H

#include <stdbool.h>
#include <uv.h>

struct raw_server {
    uv_tcp_t listener, client;
    const char *answer; /* to the first bytes that come; NULL: none ever */
    bool closes;        /* after the answer */
    bool accepted;
};

/* With `answer` and `closes` filled in; the port. */
int raw_server_open(struct raw_server *raw, uv_loop_t *loop);
/* Its handles are closed when the loop has run. */
void raw_server_close(struct raw_server *raw);

#endif
