#include "talk.h"

#include "state.h"
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
    *(line->older ? &line->older->newer : &talk->oldest) = line->newer;
    *(line->newer ? &line->newer->older : &talk->newest) = line->older;
    talk->bytes -= line->bytes;
    free(line);
}

static void forget_first(struct talk *talk, struct talk_room *room)
{
    struct talk_line *line = room->first;
    room->first = line->next;
    if (!room->first)
        room->last = NULL;
    room->count--;
    free_line(talk, line);
}

/* A room that has left memory meanwhile has let go of its lines. */
static void forget_oldest(struct hub *hub, struct talk *talk)
{
    struct talk_line *line = talk->oldest;
    const struct hub_room *hub_room = kernel_room_find(hub, line->room);
    struct talk_room *room = hub_room ? talk_of_room(hub, hub_room) : NULL;
    if (room && room->first == line)
        forget_first(talk, room);
    else
        free_line(talk, line);
}

void talk_release(struct talk *talk)
{
    while (talk->oldest)
        free_line(talk, talk->oldest);
}

/* ---- keeping */

static struct talk_line *make_line(const struct feature_line *said, const char *room, int64_t at_ms)
{
    const size_t name = strlen(said->name) + 1, text = strlen(said->text) + 1;
    const size_t bytes = sizeof(struct talk_line) + name + text;
    struct talk_line *line = calloc(1, bytes);
    if (!line)
        return NULL;
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
    line->older = talk->newest;
    *(talk->newest ? &talk->newest->newer : &talk->oldest) = line;
    talk->newest = line;
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
        forget_first(talk, room);
    while (talk->bytes > (uint64_t)kernel_config(hub)->talk_bytes)
        forget_oldest(hub, talk);
}
