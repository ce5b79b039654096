/*
 * The command line client as a program of its own, started by a test: a mock server answers it by a
 * script, and what it prints is kept. It is this very program, which main.c lets run as the client.
 */
#ifndef TESTS_CLIENTS_CLIENT_RUN_H
#define TESTS_CLIENTS_CLIENT_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

enum { CLIENT_SAY_MAX = 3, CLIENT_ARGUMENTS_MAX = 12 };

/*
 * The client must send this text; then the server says and the person types. Where "" is wanted the
 * client sends nothing: once it has printed what is to be seen, both follow.
 */
struct client_step {
    const char *wants;
    const char *says[CLIENT_SAY_MAX]; /* $ becomes the message's id */
    const char *types;
    const char *sees; /* before that: once the client has printed this */
};

struct fake_server;

struct client_run {
    uv_loop_t loop;
    uv_process_t process;
    uv_pipe_t in, out;
    uv_timer_t limit;
    struct fake_server *server;
    const struct client_step *script; /* NULL: no server is needed */
    size_t at;
    const struct client_step *waiting; /* for what it wants to see */
    int64_t status;
    bool ended, closed;
    int terminal;      /* the other end of the client's terminal; 0: it has none */
    char text[131072]; /* what it printed */
    size_t len;
    char piece[4096];
};

/* Runs `taluva WORDS`, with the address of the server behind it if there is a script. */
void client_run_with(struct client_run *run, const struct client_step *script,
                     const char *const *words);
/* The same at a terminal of 80x24; what it printed has all escape sequences. */
void client_run_at_terminal(struct client_run *run, const struct client_step *script,
                            const char *const *words);
/* Expects that the text was printed. */
void client_run_said(const struct client_run *run, const char *text);

#endif
