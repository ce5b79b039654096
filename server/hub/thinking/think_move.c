#include "think_move.h"

#include "hub_private.h"
#include "metrics.h"
#include "rooms/hub_room.h"
#include "waiting/think_queue.h"
#include <hub/bucket.h>
#include <room/think.h>
#include <stdlib.h>
#include <string.h>

struct move_job {
    struct think_job job;
    struct hub_room *hub_room; /* not to be looked at by the worker */
    int64_t until_ms;          /* the room's move waits so long */
    struct room_question *question;
    struct game_thinking thinking;
    char move[PROTOCOL_MOVE_BYTES];
    size_t len;
};

static struct move_job *job_of(struct think_job *job)
{
    return (struct move_job *)(void *)job;
}

/* ---- the answer */

static bool run_job(struct think_job *job, struct game_thinking *thinking)
{
    struct move_job *move = job_of(job);
    move->len = room_question_answer(move->question, thinking, move->move);
    move->thinking = *thinking;
    return move->len > 0;
}

static void finish_job(struct hub *hub, struct think_job *job, bool answered)
{
    const struct move_job *move = job_of(job);
    struct hub_room *hub_room = move->hub_room;
    hub_room->thinking = NULL;
    if (answered)
        room_answered(hub_room->room, move->question, &move->thinking, move->move, move->len);
    else
        room_think_until(hub_room->room, hub->now_ms);
    hub_room_arm_timer(hub, hub_room);
}

static void release_job(struct think_job *job)
{
    free(job_of(job)->question);
    free(job_of(job));
}

/* ---- the question */

static enum think_kind kind_of(const struct hub_room *hub_room)
{
    return room_has_people(hub_room->room) ? THINK_MOVE : THINK_ALONE;
}

/* NULL: no memory. */
static struct move_job *make_job(struct hub_room *hub_room, int64_t until_ms)
{
    struct move_job *move = calloc(1, sizeof *move);
    struct room_question *question = move ? room_ask(hub_room->room) : NULL;
    if (!question) {
        free(move);
        return NULL;
    }
    move->job.kind = kind_of(hub_room);
    move->job.share = hub_room->share;
    move->job.memory_bytes = question->memory_bytes;
    move->job.run = run_job;
    move->job.done = finish_job;
    move->job.release = release_job;
    move->hub_room = hub_room;
    move->until_ms = until_ms;
    move->question = question;
    return move;
}

/* Matches of computers alone may have so many moves thought of, as nobody's pace bounds them. */
static bool may_ask(struct hub *hub, const struct hub_room *hub_room)
{
    return kind_of(hub_room) != THINK_ALONE ||
           bucket_take(&hub->alone, &hub->rules.alone, hub->now_ms);
}

static bool ask_for_move(struct hub *hub, struct hub_room *hub_room, int64_t until_ms)
{
    if (!may_ask(hub, hub_room)) {
        metrics_thought(hub, THINK_ALONE, THINK_REFUSED);
        return false;
    }
    struct move_job *move = make_job(hub_room, until_ms);
    if (!move || !think_add(hub, &move->job)) {
        if (move)
            release_job(&move->job);
        return false;
    }
    hub_room->thinking = &move->job;
    return true;
}

void think_move_ask(struct hub *hub, struct hub_room *hub_room)
{
    if (!room_thinks(hub_room->room))
        return;
    int64_t due_ms = hub_room_due_ms(hub, hub_room);
    int64_t until_ms = (due_ms > hub->now_ms ? due_ms : hub->now_ms) + hub->config.think_wait_ms;
    bool asked = ask_for_move(hub, hub_room, until_ms);
    room_think_until(hub_room->room, asked ? until_ms : hub->now_ms);
}

void think_move_late(struct hub *hub, struct hub_room *hub_room)
{
    if (hub_room->thinking && job_of(hub_room->thinking)->until_ms <= hub->now_ms)
        think_drop(hub, &hub_room->thinking, THINK_LATE);
}
