#include "picture.h"

#include "asked.h"
#include "png.h"
#include <hub/hub.h>
#include <hub/kernel.h>
#include <room/drawing.h>
#include <room/room.h>
#include <stdlib.h>
#include <string.h>

struct kept_picture {
    char room[PROTOCOL_ROOM_BYTES + 1]; /* "": none is kept */
    uint64_t seq;
    struct hub_http_answer answer;
};

struct pictures {
    struct kept_picture kept[PICTURES_KEPT];
    unsigned next; /* the place of the next one, which has been there for longest */
};

const struct feature_memory picture_memory = {.hub_bytes = sizeof(struct pictures)};

struct picture_work {
    struct feature_work work;
    char room[PROTOCOL_ROOM_BYTES + 1];
    uint64_t seq;
    struct room_drawing *drawing;
};

static struct pictures *pictures_of(const struct hub *hub)
{
    return kernel_state(hub, &picture_memory);
}

static struct picture_work *work_of(struct feature_work *work)
{
    return (struct picture_work *)(void *)work;
}

/* ---- what is kept */

/* That of a room, whatever has happened there since; NULL: none. */
static struct kept_picture *find_kept(const struct hub *hub, const char *room)
{
    struct pictures *pictures = pictures_of(hub);
    for (unsigned at = 0; at < PICTURES_KEPT; at++) {
        if (strcmp(pictures->kept[at].room, room) == 0)
            return &pictures->kept[at];
    }
    return NULL;
}

static void keep_picture(struct hub *hub, struct feature_work *work,
                         const struct hub_http_answer *answer)
{
    const struct picture_work *mine = work_of(work);
    struct pictures *pictures = pictures_of(hub);
    struct kept_picture *kept = find_kept(hub, mine->room);
    if (!kept) {
        kept = &pictures->kept[pictures->next];
        pictures->next = (pictures->next + 1) % PICTURES_KEPT;
    }
    hub_http_release(&kept->answer);
    memcpy(kept->room, mine->room, sizeof kept->room);
    kept->seq = mine->seq;
    kept->answer = hub_http_share(answer);
}

void pictures_release(struct hub *hub)
{
    struct pictures *pictures = pictures_of(hub);
    for (unsigned at = 0; at < PICTURES_KEPT; at++)
        hub_http_release(&pictures->kept[at].answer);
    memset(pictures, 0, sizeof *pictures);
}

/* ---- making one */

static bool make_picture(struct feature_work *work, struct buffer *out)
{
    struct game_shape *shapes = malloc(GAME_SHAPES_MAX * sizeof *shapes);
    const bool made =
        shapes && png_write(shapes, room_drawing_draw(work_of(work)->drawing, shapes), out);
    free(shapes);
    return made;
}

static bool is_same_work(const struct feature_work *work, const struct feature_work *other)
{
    const struct picture_work *one = (const struct picture_work *)(const void *)work;
    const struct picture_work *two = (const struct picture_work *)(const void *)other;
    return one->seq == two->seq && strcmp(one->room, two->room) == 0;
}

static void release_work(struct feature_work *work)
{
    room_drawing_destroy(work_of(work)->drawing);
    free(work_of(work));
}

/* NULL: no memory. */
static struct feature_work *begin_work(const struct room *room, const struct asked *asked)
{
    struct picture_work *mine = calloc(1, sizeof *mine);
    struct room_drawing *drawing = mine ? room_drawing_create(room) : NULL;
    if (!drawing) {
        free(mine);
        return NULL;
    }
    mine->work = (struct feature_work){make_picture, keep_picture, is_same_work, release_work};
    memcpy(mine->room, asked->room, sizeof mine->room);
    mine->seq = room_seq(room);
    mine->drawing = drawing;
    return &mine->work;
}

struct feature_work *picture_begin(struct hub *hub, const char *rest,
                                   struct hub_http_answer *answer)
{
    static const char missing[] = "no such picture\n", busy[] = "not available right now\n";
    struct asked asked;
    const struct room *room = asked_read(rest, &asked) ? asked_room(hub, &asked) : NULL;
    if (!room || !room_has_drawing(room)) {
        hub_http_make(answer, STATUS_NOT_FOUND, "", missing, sizeof missing - 1);
        return NULL;
    }
    const struct kept_picture *kept = find_kept(hub, asked.room);
    if (kept && kept->seq == room_seq(room)) {
        *answer = hub_http_share(&kept->answer);
        return NULL;
    }
    struct feature_work *work = begin_work(room, &asked);
    if (!work)
        hub_http_make(answer, 503, "", busy, sizeof busy - 1);
    return work;
}
