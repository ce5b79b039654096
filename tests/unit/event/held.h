/* An event that a test holds: its log as text beside what follows from it. */
#ifndef EVENT_HELD_H
#define EVENT_HELD_H

#include <event/event.h>

enum {
    HELD_TEXT_BYTES = 256 * 1024,
    DIRECTOR = 0xd1,
    FIRST_ACCOUNT = 0xa000,
    FIRST_PARTNER = 0xb000, /* of a pair */
    START_MS = 1000000,
};

struct held {
    struct event event;
    uint8_t secret[DEAL_SECRET_BYTES];
    int64_t now_ms;
    size_t len;
    char text[HELD_TEXT_BYTES]; /* 0-terminated */
};

/* Rules by which an event is made: a round an hour at most, a minute between two; no check-in. */
struct event_rules held_rules(enum event_form form, unsigned rounds);

/* The first entry; the caller releases held->event. */
void held_make(struct held *held, struct event_rules rules);

/* The next entry, by that account, at held->now_ms; of zeros otherwise. */
struct event_entry held_entry(const struct held *held, enum event_kind kind, uint64_t by);

/* Follows it, and if that is fine adds its line. */
enum event_fault held_try(struct held *held, const struct event_entry *entry);
void held_enter(struct held *held, const struct event_entry *entry);

void held_join(struct held *held, unsigned count);
/* The same of one, whose partner has not agreed yet, if it is a pair. */
enum event_fault held_come(struct held *held);
/* Of a kind that is about an entrant, by themselves, of EVENT_REMOVED by the director, of
 * EVENT_AGREED by the partner. */
enum event_fault held_change(struct held *held, enum event_kind kind, unsigned number);

/* The places of a table of the open round, as digits; from its room. */
enum event_fault held_result(struct held *held, unsigned table, const char *places);

/* All that is due now; how many entries that was. */
unsigned held_advance(struct held *held);
/* Time goes on until something is due, and it is entered. False: the event has ended. */
bool held_wait(struct held *held);

#endif
