/*
 * What the clients of a room were sent for its last events, and the game as it was after each.
 *
 * Clients that must be sent the same are one view: of a game without secrets all of them, else each
 * seat, and all watchers. Several views may well be sent the same bytes; those are kept, and read,
 * once.
 */
#ifndef LOAD_TOLD_H
#define LOAD_TOLD_H

#include <jansson.h>
#include <load/game.h>
#include <protocol/buffer.h>

enum { TOLD_EVENTS = 16, TOLD_NOTHING = 255 };

struct told_text {
    struct buffer bytes;
    json_t *push; /* as it was read; only if there are several views */
};

struct told_event { /* until its slot is needed again */
    int64_t seq;
    bool is_move, playing;
    struct load_move move;
    void *copy; /* of the game after the event; NULL if there is one view */
    unsigned n_texts;
    struct told_text *texts;
    uint8_t *text_of; /* by view: which text, or TOLD_NOTHING so far */
};

struct told {
    unsigned views;
    struct told_event events[TOLD_EVENTS]; /* of seq n at n % TOLD_EVENTS */
};

/* False: out of memory; release it all the same. */
bool told_init(struct told *told, unsigned views, size_t copy_size);
void told_release(struct told *told);
void told_clear(struct told *told); /* forgets all */

/* The event, or NULL if it has not been seen yet or is long gone. */
struct told_event *told_find(const struct told *told, int64_t seq);
struct told_event *told_begin(struct told *told, int64_t seq); /* nobody was told of it so far */

/* Was the view, or if it was sent nothing yet any other, sent these bytes? */
bool told_knows(const struct told_event *event, unsigned view, const char *bytes, size_t len);
/* The push with these bytes as another view's was read, borrowed; NULL if none is kept. */
json_t *told_push(const struct told_event *event, const char *bytes, size_t len);
/* The view was sent these bytes, which were read as `push`. */
void told_add(const struct told *told, struct told_event *event, unsigned view, json_t *push,
              const char *bytes, size_t len);

#endif
