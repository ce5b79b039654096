#include "talk.h"

#include "state.h"
#include <assert.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <room/room.h>
#include <stdlib.h>
#include <string.h>

static struct talk *talk_of(const struct hub *hub)
{
    return &moderation_of(hub)->talk;
}

static struct talk_room *talk_of_room(const struct hub *hub, const struct hub_room *hub_room)
{
    return kernel_room_state(hub, &moderation_memory, hub_room);
}

const struct talk_line *talk_first(const struct hub *hub, const struct hub_room *hub_room)
{
    return talk_of_room(hub, hub_room)->first;
}

/* ---- forgetting */

static void free_line(struct talk *talk, struct talk_line *line)
{
    struct talk_queue *queue = &talk->of[line->household];
    *(line->older ? &line->older->newer : &queue->oldest) = line->newer;
    *(line->newer ? &line->newer->older : &queue->newest) = line->older;
    talk->bytes_of[line->household] -= (uint32_t)line->bytes;
    talk->bytes -= line->bytes;
    free(line);
}

/* If it is one of that table's. */
static void unlink_line(struct talk_room *room, const struct talk_line *line)
{
    struct talk_line *before = NULL, *at = room->first;
    while (at && at != line) {
        before = at;
        at = at->next;
    }
    if (!at)
        return;
    *(before ? &before->next : &room->first) = at->next;
    if (room->last == at)
        room->last = before;
    room->count--;
}

static unsigned count_from(const struct talk_room *room, uint16_t household)
{
    unsigned count = 0;
    for (const struct talk_line *at = room->first; at; at = at->next)
        count += at->household == household;
    return count;
}

/* The oldest at the table of whoever has said most there. */
static void forget_at_table(struct talk *talk, struct talk_room *room)
{
    struct talk_line *found = NULL;
    unsigned most = 0;
    for (struct talk_line *at = room->first; at; at = at->next) {
        const unsigned count = count_from(room, at->household);
        if (count > most) {
            most = count;
            found = at;
        }
    }
    if (!found)
        return;
    unlink_line(room, found);
    free_line(talk, found);
}

/* The oldest at all tables of whoever has said most. A room that has left memory meanwhile has let
 * go of its lines. */
static void forget_anywhere(struct hub *hub, struct talk *talk)
{
    unsigned household = 0;
    for (unsigned at = 1; at < KERNEL_SHARES; at++) {
        if (talk->bytes_of[at] > talk->bytes_of[household])
            household = at;
    }
    struct talk_line *line = talk->of[household].oldest;
    const struct hub_room *hub_room = kernel_room_find(hub, line->room);
    if (hub_room)
        unlink_line(talk_of_room(hub, hub_room), line);
    free_line(talk, line);
}

void talk_release(struct talk *talk)
{
    for (unsigned household = 0; household < KERNEL_SHARES; household++) {
        struct talk_line *oldest;
        while ((oldest = talk->of[household].oldest)) {
            free_line(talk, oldest);
            assert(talk->of[household].oldest != oldest);
        }
    }
}

/* ---- keeping */

static struct talk_line *make_line(const struct feature_line *said, const char *room, int64_t at_ms)
{
    const size_t name = strlen(said->name) + 1, text = strlen(said->text) + 1;
    const size_t bytes = sizeof(struct talk_line) + name + text;
    struct talk_line *line = calloc(1, bytes);
    if (!line)
        return NULL;
    line->household = said->household;
    line->seat = said->seat;
    line->at_ms = at_ms;
    line->bytes = bytes;
    memcpy(line->room, room, PROTOCOL_ROOM_BYTES);
    memcpy(line->name, said->name, name);
    memcpy(line->name + name, said->text, text);
    line->text = line->name + name;
    return line;
}

static void add_line(struct talk *talk, struct talk_room *room, struct talk_line *line)
{
    struct talk_queue *queue = &talk->of[line->household];
    line->older = queue->newest;
    *(queue->newest ? &queue->newest->newer : &queue->oldest) = line;
    queue->newest = line;
    talk->bytes_of[line->household] += (uint32_t)line->bytes;
    talk->bytes += line->bytes;
    *(room->last ? &room->last->next : &room->first) = line;
    room->last = line;
    room->count++;
}

/* Without memory a line is missing. */
void talk_said(struct hub *hub, struct hub_room *hub_room, const struct feature_line *said)
{
    struct talk *talk = talk_of(hub);
    struct talk_room *room = talk_of_room(hub, hub_room);
    if (kernel_env(hub)->accounts == HUB_ACCOUNTS_OFF)
        return;
    struct talk_line *line = make_line(said, room_id(kernel_room(hub_room)), kernel_now_ms(hub));
    if (!line)
        return;
    add_line(talk, room, line);
    if (room->count > TALK_LINES)
        forget_at_table(talk, room);
    while (talk->bytes > (uint64_t)kernel_config(hub)->talk_bytes)
        forget_anywhere(hub, talk);
}
