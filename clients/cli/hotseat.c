#include "hotseat.h"

#include <stdlib.h>

struct person {
    struct hotseat *hotseat;
    int number;
    struct wire_client *client;
};

struct hotseat {
    struct hotseat_config config;
    int at;
    struct person list[HOTSEAT_MAX];
};

/* NULL unless the person sits at the keyboard. */
static const struct wire_client_events *heard_by(const struct person *person)
{
    const struct hotseat *hotseat = person->hotseat;
    return hotseat->at == person->number ? &hotseat->config.events : NULL;
}

static void *user_of(const struct person *person)
{
    return person->hotseat->config.user;
}

/* ---- what clients say */

static void on_online(void *user, const json_t *ok)
{
    if (heard_by(user))
        heard_by(user)->online(user_of(user), ok);
}

static void on_offline(void *user, int code, const char *reason, int64_t retry_ms)
{
    if (heard_by(user))
        heard_by(user)->offline(user_of(user), code, reason, retry_ms);
}

static void on_failed(void *user, const char *why)
{
    const struct person *person = user; /* whoever it is: nobody can go on without */
    person->hotseat->config.events.failed(user_of(person), why);
}

static const char *on_token(void *user, const char *token)
{
    (void)user; /* the session ends with this process */
    (void)token;
    return NULL;
}

static const char *on_forgotten(void *user)
{
    (void)user;
    return NULL;
}

static void on_view(void *user, const struct wire_room *room)
{
    if (heard_by(user))
        heard_by(user)->view(user_of(user), room);
}

static void on_event(void *user, const struct wire_room *room, const json_t *push)
{
    const struct person *person = user;
    const struct hotseat_config *config = &person->hotseat->config;
    if (heard_by(person))
        heard_by(person)->event(config->user, room, push);
    config->told(config->user, person->number, room, push);
}

static void on_push(void *user, const struct wire_room *room, const json_t *push)
{
    if (heard_by(user))
        heard_by(user)->push(user_of(user), room, push);
}

static void on_gone(void *user, const char *room, const json_t *error)
{
    if (heard_by(user))
        heard_by(user)->gone(user_of(user), room, error);
}

static void on_received(void *user, const char *bytes, size_t len)
{
    if (heard_by(user))
        heard_by(user)->received(user_of(user), bytes, len);
}

static void on_sent(void *user, const char *bytes, size_t len)
{
    if (heard_by(user))
        heard_by(user)->sent(user_of(user), bytes, len);
}

/* ---- creating and destroying */

static bool create_client(struct hotseat *hotseat, int number)
{
    struct wire_client_config config = hotseat->config.client;
    struct wire_client_events events = {
        .online = on_online,
        .offline = on_offline,
        .failed = on_failed,
        .token = on_token,
        .forgotten = on_forgotten,
        .view = on_view,
        .event = on_event,
        .push = on_push,
        .gone = on_gone,
    };
    if (hotseat->config.events.received)
        events.received = on_received;
    if (hotseat->config.events.sent)
        events.sent = on_sent;
    config.name = hotseat->config.names[number];
    struct person *person = &hotseat->list[number];
    *person = (struct person){.hotseat = hotseat, .number = number};
    person->client = wire_client_create(hotseat->config.carrier, &config, &events, person);
    return person->client != NULL;
}

struct hotseat *hotseat_create(const struct hotseat_config *config)
{
    struct hotseat *hotseat = calloc(1, sizeof *hotseat);
    if (!hotseat)
        return NULL;
    hotseat->config = *config;
    for (int i = 0; i < config->count; i++) {
        if (!create_client(hotseat, i)) {
            hotseat_destroy(hotseat);
            return NULL;
        }
    }
    return hotseat;
}

void hotseat_destroy(struct hotseat *hotseat)
{
    if (!hotseat)
        return;
    for (int i = 0; i < hotseat->config.count; i++)
        wire_client_destroy(hotseat->list[i].client);
    free(hotseat);
}

/* ---- who is there */

int hotseat_count(const struct hotseat *hotseat)
{
    return hotseat->config.count;
}

const char *hotseat_name(const struct hotseat *hotseat, int person)
{
    return hotseat->config.names[person];
}

struct wire_client *hotseat_client(const struct hotseat *hotseat, int person)
{
    return hotseat->list[person].client;
}

int hotseat_at(const struct hotseat *hotseat)
{
    return hotseat->at;
}

void hotseat_sit(struct hotseat *hotseat, int person)
{
    hotseat->at = person;
}
