/*
 * What every command that talks to a server shares: the loop, the session and its kept token, the
 * JSON mode, signals, and how it ends. The command itself is a table of callbacks.
 */
#ifndef CLI_ONLINE_H
#define CLI_ONLINE_H

#include "hotseat.h"
#include "profile.h"
#include <cli/command.h>
#include <wire/client.h>

struct online;

/* Any may be NULL. `user` of struct online is the command's. */
struct online_app {
    bool needs_session; /* the profile must have one: a new one would be of no use */
    bool appeals;       /* it comes to appeal, and for nothing else: then also who is banned */
    void (*ready)(struct online *online); /* connected, with a session, for the first time */
    void (*back)(struct online *online);  /* after a cut */
    void (*away)(struct online *online, const char *reason, int64_t retry_ms);
    void (*view)(struct online *online, const struct wire_room *room);
    void (*event)(struct online *online, const struct wire_room *room, const json_t *push);
    void (*push)(struct online *online, const struct wire_room *room, const json_t *push);
    void (*gone)(struct online *online, const char *room, const json_t *error);
    /* Instead of the standard error: a person reads it. */
    void (*say)(struct online *online, const char *line);
    /* With online_run_here: a person was told of an event, whoever sits at the keyboard. */
    void (*told)(struct online *online, int person, const struct wire_room *room,
                 const json_t *push);
    /* At Control-C. True: the run goes on, as if no signal had come. */
    bool (*control_c)(struct online *online);
    /* At the first signal. True: the app ends the run soon, or the next signal does. */
    bool (*interrupted)(struct online *online);
    void (*ended)(struct online *online); /* before all is closed */
};

struct online {
    uv_loop_t loop;
    struct wire_client *client; /* with `hotseat`: of one of them */
    const struct invocation *invocation;
    const struct online_app *app;
    void *user;
    const json_t *hello;          /* the answer to it, while `ready` and `back` are called */
    struct wire_context *context; /* NULL with a server in this process */
    const struct online_here *here;
    const struct online_entry *entry; /* NULL: none is entered */
    struct local_server *local;
    struct hotseat *hotseat; /* NULL without it */
    struct profile profile;
    struct wire_url url; /* not with `here` */
    char server[WIRE_URL_TEXT];
    uv_signal_t signals[3];
    uv_poll_t reader; /* of the standard output, if that is a pipe */
    bool watches_reader;
    bool was_ready;
    bool was_interrupted;
    bool stopped;
    int exit_code;
};

/* Where the server is: the option, the variable, the file, the default. False: it has been said
 * what is wrong. So with the authority that is to be trusted, as libwebsockets does not say. */
bool online_find_server(struct wire_url *url, const struct invocation *invocation);
bool online_ca_is_usable(const char *path);

/* Connects, calls the command back, and returns an exit code once it was stopped. */
int online_run(const struct invocation *invocation, const struct online_app *app, void *user);

/* As online_run, as one more device of the player who made a link or a recovery phrase. */
struct online_entry {
    const char *pass;
    bool replace; /* even if the profile has a session, which is then left behind */
};
int online_run_entering(const struct invocation *invocation, const struct online_entry *entry,
                        const struct online_app *app, void *user);

/* A server in this process, for people at this terminal alone. */
struct online_here {
    const struct game_type *const *games;
    int64_t computer_ms; /* pause before a computer player moves */
    const char *const *names;
    int people;
};

/* As online_run, with a server that lives as long as the run. */
int online_run_here(const struct invocation *invocation, const struct online_here *here,
                    const struct online_app *app, void *user);

/* Ends the run with this code; the first call counts. */
void online_stop(struct online *online, int exit_code);

/* A line for people; nothing in JSON mode. */
void online_say(struct online *online, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A line for programs in JSON mode, nothing else; `object` is taken over. */
void online_print_local(struct online *online, const char *what, json_t *object);

/* Says why the server refused and ends the run with EXIT_REFUSED. */
void online_refused(struct online *online, const json_t *error);

/* The secret in the answer to `link` or `phrase`. NULL: refused, or none, and the run has ended. */
const char *online_pass(struct online *online, const json_t *ok, const json_t *error);

/*
 * What somebody types to come to a room with this session: "taluva join k3m9x0aq --profile bo",
 * with the server and whatever else it takes. For a shell.
 */
enum { ONLINE_COMMAND = 1024 };
void online_command(char text[ONLINE_COMMAND], const struct online *online, const char *verb,
                    const char *room);

/* A new request about a room; fields that are NULL are left out. Never NULL but without memory. */
json_t *request_make(const char *op, const char *room, const char *key, const char *value);

#endif
