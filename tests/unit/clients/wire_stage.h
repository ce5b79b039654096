/*
 * A session of the client with a mock server. A script line has a part of what the client must
 * send, and the server's messages after that; the client's callbacks are written to a log.
 */
#ifndef TESTS_UNIT_CLIENTS_WIRE_STAGE_H
#define TESTS_UNIT_CLIENTS_WIRE_STAGE_H

#include "fake_server.h"
#include <check.h>
#include <wire/client.h>

enum { SAY_MAX = 6, STEPS_MAX = WIRE_ROOMS_MAX + 4 };

struct step {
    const char *wants; /* the client's next message contains this text */
    const char
        *says[SAY_MAX]; /* $ becomes the message's id; "!cut" and "!close N" end the connection */
};

struct stage {
    uv_loop_t loop;
    uv_timer_t limit;
    struct fake_server *server;
    struct wire_context *context;
    struct wire_client *client;
    const struct step *script;
    size_t at;
    json_int_t ids[STEPS_MAX]; /* of the messages, in order */
    char log[4096];
    size_t log_len;
    int64_t retry_ms; /* of the last time it was offline */
    char why[128];    /* it was, or has failed */
    int sent;         /* what the client says it has sent */
    int asks_online;  /* so many pings as soon as it is online */
    int ended;        /* stop the loop when this many replies or failures have come */
    int want_end;
    int timers;
    const char *const *others; /* tokens to try when one is not known, NULL-terminated; or NULL */
    const char *kept;          /* another one is there when the first is to be kept; or NULL */
};

extern const struct wire_client_events stage_events;

/* `script` NULL: there is no server; it must outlive the stage. */
void stage_open(struct stage *stage, const struct step *script, const char *token,
                int64_t patience_ms);
/* The same with a link or a phrase instead of a token. */
void stage_open_entering(struct stage *stage, const struct step *script, const char *pass);
/* Until so many replies and failures have come. */
void stage_run(struct stage *stage, int want_end);
/* Until the script has got so far. */
void stage_go_on_until(struct stage *stage, size_t at);
/* Sends a request and logs the answer. */
void stage_ask(struct stage *stage, json_t *request);
void stage_on_reply(void *user, const json_t *ok, const json_t *error);
/* How many timers of the client are set. */
int stage_timers(struct stage *stage);
/* The whole script was played and the log is as expected; nothing is left on the loop. */
void stage_close(struct stage *stage, const char *log);

/* Requests. */
json_t *op(const char *name);
json_t *op_room(const char *name);

/* Messages of the server. */
#define HELLO "{\"id\":$,\"ok\":{\"session\":1,\"name\":\"Ana\",\"limits\":{}}}"
#define HELLO_TOKEN                                                                                \
    "{\"id\":$,\"ok\":{\"session\":1,\"name\":\"Ana\",\"token\":\"s3cret\",\"limits\":{}}}"
#define VIEW(seq, state)                                                                           \
    "{\"id\":$,\"ok\":{\"room\":\"k3m9x0aq\",\"seq\":" seq                                         \
    ",\"you\":{\"seat\":2},\"online\":{\"2\":true},\"time\":1,\"state\":" state "}}"
#define EVENT(seq, patch)                                                                          \
    "{\"push\":\"event\",\"room\":\"k3m9x0aq\",\"seq\":" seq                                       \
    ",\"at\":5,\"event\":{\"kind\":\"move\"},\"patch\":" patch "}"

#endif
