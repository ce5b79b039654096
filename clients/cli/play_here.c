#include "play_here.h"

#include <cli/state.h>

/* One step after the other, each when the one before was granted; one at a time in each process. */
enum step { STEP_JOIN, STEP_BOTS, STEP_READY, STEP_START, STEP_DONE };

struct beginning {
    struct online *online;
    struct play_plan *plan;
    play_entered_fn *entered;
    char room[PROTOCOL_ROOM_BYTES + 1];
    bool again; /* a rematch */
    enum step step;
    int count; /* how often the step was taken */
};

static struct beginning beginning;

static void on_granted(void *user, const json_t *ok, const json_t *error);

static void ask_as(int person, json_t *request)
{
    struct wire_client *client = hotseat_client(beginning.online->hotseat, person);
    if (wire_client_request(client, request, on_granted, NULL) < 0)
        online_stop(beginning.online, EXIT_MEMORY);
}

static json_t *request_of(const char *op)
{
    return request_make(op, beginning.room, NULL, NULL);
}

static json_t *join_request(int person)
{
    const struct play_plan *plan = beginning.plan;
    json_t *request = request_of("join");
    if (beginning.again)
        return request; /* the seats are rotated */
    if (person == 0 && plan->seat != SEAT_ANY)
        json_object_set_new(request, "seat", json_integer(plan->seat));
    if (person == 0 && plan->colour)
        json_object_set_new(request, "colour", json_string(plan->colour));
    return request;
}

/* The easiest, where nothing was said: whoever needs no server may not know the game. */
static json_t *bot_request(int computer)
{
    const struct play_here *here = beginning.plan->here;
    json_t *request = request_of("bot");
    const int given = computer < here->levels_given ? computer : here->levels_given - 1;
    json_object_set_new(request, "level", json_integer(given < 0 ? 1 : here->levels[given]));
    return request;
}

/* Seats that nobody at this terminal has. */
static int count_computers(void)
{
    const struct wire_room *room = wire_client_room(beginning.online->client, beginning.room);
    return room ? state_players(room->state) - hotseat_count(beginning.online->hotseat) : 0;
}

/* Who may start the match. */
static int find_host(void)
{
    struct hotseat *people = beginning.online->hotseat;
    int person = hotseat_count(people) - 1;
    while (person > 0 && !wire_client_room(hotseat_client(people, person), beginning.room)->host)
        person--;
    return person;
}

static int count_requests(enum step step)
{
    switch (step) {
    case STEP_JOIN:
    case STEP_READY:
        return hotseat_count(beginning.online->hotseat);
    case STEP_BOTS:
        return beginning.again ? 0 : count_computers();
    case STEP_START:
        return 1;
    case STEP_DONE:
        return 0;
    }
    return 0;
}

static void take_step(enum step step, int count)
{
    switch (step) {
    case STEP_JOIN:
        ask_as(count, join_request(count));
        return;
    case STEP_BOTS:
        ask_as(0, bot_request(count));
        return;
    case STEP_READY:
        ask_as(count, seat_ready_request(beginning.room));
        return;
    case STEP_START:
        ask_as(find_host(), request_of("start"));
        return;
    case STEP_DONE:
        beginning.entered(beginning.online, beginning.room, NULL);
        return;
    }
}

/* A level for a computer that there is not was meant for somebody. */
static bool refuse_levels(void)
{
    char message[128];
    if (beginning.step != STEP_BOTS || beginning.plan->here->levels_given <= count_computers())
        return false;
    snprintf(message, sizeof message, "Levels for %d computer players, and there are %d.",
             beginning.plan->here->levels_given, count_computers());
    json_t *error = json_pack("{s:s,s:s}", "code", "too_many_levels", "message", message);
    beginning.entered(beginning.online, beginning.room, error);
    json_decref(error);
    return true;
}

static void next_request(void)
{
    while (beginning.step != STEP_DONE && beginning.count >= count_requests(beginning.step)) {
        beginning.step++;
        beginning.count = 0;
    }
    if (!refuse_levels())
        take_step(beginning.step, beginning.count++);
}

static void on_granted(void *user, const json_t *ok, const json_t *error)
{
    (void)user;
    (void)ok;
    if (error)
        beginning.entered(beginning.online, beginning.room, error);
    else
        next_request();
}

static void on_created(void *user, const json_t *ok, const json_t *error)
{
    const char *room = json_string_value(json_object_get(ok, "room"));
    snprintf(beginning.room, sizeof beginning.room, "%s", room ? room : "");
    on_granted(user, ok, error);
}

void play_begin(struct online *online, struct play_plan *plan, play_entered_fn *entered)
{
    beginning = (struct beginning){.online = online, .plan = plan, .entered = entered};
    json_t *request = plan->create;
    plan->create = NULL;
    if (wire_client_request(online->client, request, on_created, NULL) < 0)
        online_stop(online, EXIT_MEMORY);
}

void play_again(struct online *online, struct play_plan *plan, const char *before, const char *room,
                play_entered_fn *entered)
{
    beginning =
        (struct beginning){.online = online, .plan = plan, .entered = entered, .again = true};
    snprintf(beginning.room, sizeof beginning.room, "%s", room);
    for (int i = 0; i < hotseat_count(online->hotseat); i++)
        wire_client_request(hotseat_client(online->hotseat, i),
                            request_make("leave", before, NULL, NULL), NULL, NULL);
    next_request();
}
