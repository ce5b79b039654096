/*
 * News that waits for other parts of the site (hub/note.h): two bounded queues, each in the order
 * in which it is due. Turns are all told after the same time, so they come in that order.
 */
#ifndef HUB_NOTE_QUEUE_H
#define HUB_NOTE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hub;

struct note_entry {
    uint64_t session;
    int64_t due_ms;
    char room_id[9]; /* whose turn it is; "": that it is a player, or ... */
    bool letter;     /* ... that it has letters, or ... */
    char *word;      /* ... what a feature says, owned; NULL: nothing */
    uint16_t word_len;
    uint8_t seat;
    uint16_t share; /* of the session's address, in which a turn is counted; 0: of none */
};

struct note_ring {
    struct note_entry *entries;
    size_t first, count, size;
};

struct note_queue {
    struct note_ring players, turns, words;
};

/* It has become a player. */
void note_queue_player(struct hub *hub, uint64_t session);
/* There are letters for it. */
void note_queue_letter(struct hub *hub, uint64_t addressee);
/* A feature says that; the text is copied. False: as below. */
bool note_queue_word(struct hub *hub, uint64_t session, const char *text, size_t len);
/* It is to be told of its turn, unless that is over by then. False: too many wait, or no memory. */
bool note_queue_turn(struct hub *hub, const struct note_entry *turn);
/* The next one that is due, which is removed; its word is the caller's. False: none is. */
bool note_queue_pop(struct hub *hub, struct note_entry *entry);
int64_t note_queue_deadline_ms(const struct hub *hub); /* INT64_MAX: nothing waits */
void note_queue_release(struct hub *hub);

#endif
