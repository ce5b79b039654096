#include "play_enter.h"

#include "play_here.h"
#include "play_seek.h"
#include "refusal.h"
#include <string.h>

bool play_may_ask(const struct play_plan *plan, const char *op)
{
    static const char *const harmless[] = {"analysis", "heed",   "leave", "past", "ping", "record",
                                           "rename",   "report", "rooms", "say",  "watch"};
    for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++) {
        if (strcmp(harmless[i], op) == 0)
            return true;
    }
    return !plan->watch;
}

int play_online(const struct invocation *invocation, const struct play_plan *plan,
                const struct online_app *app, void *user)
{
    return plan->here ? online_run_here(invocation, &plan->here->server, app, user)
                      : online_run(invocation, app, user);
}

/* The steps from the plan to a seat; one at a time in each process. */
struct entering {
    struct online *online;
    struct play_plan *plan;
    play_entered_fn *entered;
    char room[PROTOCOL_ROOM_BYTES + 1];
    int bots_asked; /* without their reply */
    int exit_code;  /* of who only makes the room */
};

static struct entering entering;

static void finish(const json_t *error)
{
    entering.entered(entering.online, entering.room, error);
}

/* Who only makes the room leaves once all replies are there. */
static void leave_when_done(void)
{
    if (entering.plan->leave_at_once && entering.bots_asked == 0)
        online_stop(entering.online, entering.exit_code);
}

static void on_bot(void *user, const json_t *ok, const json_t *error)
{
    char text[512];
    (void)ok;
    entering.bots_asked--;
    if (error) {
        refusal_text(text, sizeof text, error);
        online_say(user, "No computer player: %s", text);
        entering.exit_code = EXIT_REFUSED;
    }
    leave_when_done();
}

static void seat_bots(void)
{
    for (int i = 0; i < entering.plan->bots; i++) {
        json_t *request = request_make("bot", entering.room, NULL, NULL);
        if (entering.plan->level > 0)
            json_object_set_new(request, "level", json_integer(entering.plan->level));
        if (wire_client_request(entering.online->client, request, on_bot, entering.online) >= 0)
            entering.bots_asked++;
    }
    entering.plan->bots = 0;
}

/* Whoever is the last one to be ready begins. */
static void on_accepted(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    (void)error;
    if (ok)
        wire_client_request(online->client, request_make("start", entering.room, NULL, NULL), NULL,
                            NULL);
}

static void on_seated(void *user, const json_t *ok, const json_t *error)
{
    const char *code = json_string_value(json_object_get(error, "code"));
    (void)ok;
    if (code && strcmp(code, "already_seated") == 0) {
        seat_take(user, entering.room, SEAT_ANY, NULL, true, on_seated, user);
        return;
    }
    if (!error)
        seat_bots();
    if (!error && entering.plan->seek)
        seat_ready(user, entering.room, on_accepted, user);
    finish(error);
}

static void enter_room(const char *room)
{
    const struct play_plan *plan = entering.plan;
    snprintf(entering.room, sizeof entering.room, "%s", room);
    seat_take(entering.online, entering.room, plan->seat, plan->colour, plan->watch, on_seated,
              entering.online);
}

static void on_found(struct online *online, const char *room, const json_t *error)
{
    if (error) {
        finish(error);
        return;
    }
    online_say(online, "Others are found.");
    enter_room(room);
}

static void on_lost(void)
{
    entering.room[0] = '\0';
    finish(NULL);
}

static void on_created(void *user, const json_t *ok, const json_t *error)
{
    struct online *online = user;
    const char *room = json_string_value(json_object_get(ok, "room"));
    const char *code = json_string_value(json_object_get(ok, "code"));
    if (error || !room) {
        finish(error);
        return;
    }
    if (entering.plan->leave_at_once && !online->invocation->online.json)
        printf("%s%s%s\n", room, code ? " " : "", code ? code : "");
    else if (code)
        online_say(online, "Room %s is by invitation; its code is %s", room, code);
    if (!entering.plan->leave_at_once) {
        enter_room(room);
        return;
    }
    snprintf(entering.room, sizeof entering.room, "%s", room);
    seat_bots();
    leave_when_done();
}

void play_enter(struct online *online, struct play_plan *plan, play_entered_fn *entered)
{
    entering = (struct entering){.online = online, .plan = plan, .entered = entered};
    if (plan->here) {
        play_begin(online, plan, entered);
        return;
    }
    if (plan->room) {
        enter_room(plan->room);
        return;
    }
    if (plan->seek) {
        online_say(online, "Looking for others who play about as well as you.");
        seek_begin(online, plan->seek, on_found, on_lost);
        return;
    }
    json_t *request = plan->create;
    plan->create = NULL;
    wire_client_request(online->client, request, on_created, online);
}

void play_refused(struct online *online, const struct play_plan *plan, const json_t *error)
{
    const char *code = json_string_value(json_object_get(error, "code"));
    char command[ONLINE_COMMAND];
    online_refused(online, error);
    if (!plan->room || plan->watch || !code ||
        (strcmp(code, "not_in_lobby") != 0 && strcmp(code, "no_seat_free") != 0))
        return;
    online_command(command, online, "watch", plan->room);
    online_say(online, "Anybody may watch: %s", command);
}
