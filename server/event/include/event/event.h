/*
 * What an event is by its log so far: who is in it, the rounds and their tables, where it stands.
 * An entry is checked, and then followed; one that may not come next changes nothing.
 *
 *     open --> running --> over        off: from each of the first two
 *
 * Who may enter what is checked by the accounts that stand in the log: the director is who has made
 * it, and everybody does what concerns themselves. Knows no clock, no file, no server and no game.
 */
#ifndef EVENT_EVENT_H
#define EVENT_EVENT_H

#include <event/entry.h>

enum {
    EVENT_RETURNS_MAX = 8, /* of one entrant: a log has a bound */
    EVENT_JUDGED_MAX = 1024,
    EVENT_PAIRS_MAX = 3,   /* in which somebody has named a partner, who did not want to */
    EVENT_PAUSES_MAX = 60, /* of one entrant */
    EVENT_MISSED_MAX = 2,  /* tables in a row: whoever was not there is withdrawn */
};

enum event_phase { EVENT_UNMADE, EVENT_IS_OPEN, EVENT_IS_RUNNING, EVENT_IS_OVER, EVENT_IS_OFF };

struct event_entrant {
    uint64_t account;
    uint64_t partner; /* 0: is not a pair */
    uint16_t rating;  /* 0: is not known */
    bool agreed;      /* the partner has */
    bool here;        /* has said so */
    bool withdrawn, removed;
    bool field;       /* was in it when it began */
    uint8_t returned; /* how often */
    bool paused;
    uint8_t pauses;    /* how often */
    int64_t paused_ms; /* the time of the last one */
    int64_t rested_ms; /* how long those were that are over */
    uint8_t missed;    /* tables in a row */
    uint16_t began;    /* tables at which it was the first player */
};

struct event_table {
    uint8_t seats;
    bool over;
    uint16_t seat[EVENT_SEATS_MAX];
    uint8_t place[EVENT_SEATS_MAX]; /* once it is over */
    char room[PROTOCOL_ROOM_BYTES + 1];
};

struct event_round {
    int64_t paired_ms, over_ms; /* over: once no table is open */
    unsigned tables, open;
    bool by_hand;              /* paired by a person */
    uint16_t rests;            /* of a Swiss event: who has the bye; 0: nobody */
    struct event_table *table; /* `tables` of them */
};

struct event {
    struct event_rules rules;
    enum event_phase phase;
    uint64_t n;        /* of the last entry */
    int64_t last_ms;   /* and when it was entered */
    uint64_t director; /* an account */
    int64_t began_ms;
    unsigned entrants, field;      /* all; and those who were in it when it began */
    struct event_entrant *entrant; /* of number 1, ... */
    unsigned rounds;               /* that have been paired; only the last one can be open */
    struct event_round round[EVENT_ROUNDS_MAX];
    unsigned judged;
    uint8_t secret[DEAL_SECRET_BYTES]; /* once it is over or off */
};

/* Why an entry may not come next. */
enum event_fault {
    EVENT_FINE,
    EVENT_GAP,          /* its number is not the next one */
    EVENT_TIME,         /* earlier than the one before */
    EVENT_BAD_RULES,    /* contradict themselves, or are beyond a bound */
    EVENT_NOT_NOW,      /* the event is open, running or over */
    EVENT_NOT_ENTITLED, /* that is not theirs to do */
    EVENT_NO_REASON,    /* a person has decided something and does not say why */
    EVENT_NOBODY,       /* there is no such entrant */
    EVENT_AGAIN,        /* that is so already */
    EVENT_FULL,         /* so many are in it, or it was done so often */
    EVENT_LATE,         /* nobody comes into it any more */
    EVENT_BAD_PARTNER,  /* a pair has a partner, and others have none */
    EVENT_BAD_ROUND,    /* there is none of that number, or it is not over */
    EVENT_BAD_TABLES,   /* somebody is missing, or twice, or should not be there */
    EVENT_BAD_PLACES,   /* there is no such table, or they are no places of it */
    EVENT_BAD_SECRET,   /* is not what was committed to */
    EVENT_NO_MEMORY,
    /* Of who goes through a whole log (event/audit.h): */
    EVENT_UNREADABLE, /* it is no entry */
    EVENT_NOT_DUE,    /* the server has entered what did not follow */
};
/* "its number is not the next one", without a full stop */
const char *event_fault_text(enum event_fault fault);

/* Of zeros. */
void event_release(struct event *event);
/* To be released as well. False: no memory, and there is nothing to release. */
bool event_copy(struct event *copy, const struct event *event);

/* May that come next? */
enum event_fault event_check(const struct event *event, const struct event_entry *entry);
/* The same, and it has. But for EVENT_FINE nothing has changed. */
enum event_fault event_follow(struct event *event, const struct event_entry *entry);

/* Plays in the next round. */
bool event_is_in(const struct event_entrant *entrant);
unsigned event_count_in(const struct event *event);
/* The number of somebody's entrant, alone or as one of a pair; 0: none, or a pair of which the
 * partner has not said so, and which is no more. */
unsigned event_find(const struct event *event, uint64_t account);

/* How many rounds there are to be, the final among them; of a round robin that is known once it has
 * begun, and of a cup how many there can be. */
unsigned event_planned(const struct event *event);
/* Is that round, from 1, the final at tables? */
bool event_is_final(const struct event *event, unsigned round);
/* The round that is being played; NULL: none. */
const struct event_round *event_open_round(const struct event *event);
/* When a pause ends by itself, as the bank is used up. */
int64_t event_pause_ends_ms(const struct event *event, const struct event_entrant *entrant);
bool event_check_in_is_open(const struct event *event, int64_t now_ms);

#endif
