/*
 * Entries of the log of an event (a tournament, of which a club holds one of an evening): what was
 * done, by whom, when, and where people decide, why. protocol/events.md has their form. All that an
 * event is follows from them (event/event.h).
 *
 * Accounts are numbers here, which lead nowhere once an account is gone; entrants are numbered from
 * 1 in the order in which they came. An entry has one form only: what is read and written again is
 * the same bytes.
 */
#ifndef EVENT_ENTRY_H
#define EVENT_ENTRY_H

#include <protocol/deal.h>
#include <protocol/limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    EVENT_ENTRANTS_MAX = 512,
    EVENT_ROBIN_ENTRANTS_MAX = 16,
    EVENT_ROUNDS_MAX = 30, /* of a round robin of 16 who meet twice */
    EVENT_TABLE_ROUNDS_MAX = 16,
    EVENT_TABLES_MAX = EVENT_ENTRANTS_MAX / 2,
    EVENT_SEATS_MAX = 5,
    EVENT_FINALISTS = 4,
    EVENT_GROUP_MAX = 5,
    EVENT_GROUPS_ENTRANTS_MAX = 64,
    EVENT_REASON_CHARS = 80,
    EVENT_REASON_BYTES = 4 * EVENT_REASON_CHARS,
    EVENT_LINE_MAX = PROTOCOL_MESSAGE_BYTES,
    EVENT_OBJECT_MAX = 512, /* bytes of what a room is made with */
    EVENT_RATING_MAX = 9999,
    EVENT_SECONDS_MAX = 60 * 24 * 3600, /* of a check-in, a break, a round, a pause */
};

enum event_form {
    EVENT_TABLES, /* of three to five, as many rounds as were said before */
    EVENT_ROBIN,  /* everybody meets everybody, by two */
    EVENT_CUP,    /* by two, and whoever loses is out */
    EVENT_SWISS,  /* by two, with others of as many points, by FIDE's Dutch system */
    EVENT_GROUPS, /* everybody meets everybody of a group at once, and who is first goes on */
};

/* What a table gives, in parts of a point (event/standings.h). */
enum event_points {
    EVENT_WINS,   /* 1 to whoever wins, shared */
    EVENT_PLACES, /* 5 3 2 1 0, at three 5 3 1; those who share a place share what it gives */
};

enum event_kind {
    EVENT_MADE,     /* the first */
    EVENT_JOINED,   /* is the next entrant */
    EVENT_HERE,     /* has said so at the check-in */
    EVENT_WITHDREW, /* does not play from now on */
    EVENT_RETURNED, /* plays again */
    EVENT_REMOVED,  /* the same as withdrew, for good */
    EVENT_BEGAN,    /* who is in it now plays */
    EVENT_PAIRED,   /* the tables of the next round */
    EVENT_RESULT,   /* of a table: from its room, or as nobody can play there any more */
    EVENT_JUDGED,   /* the same, decided by a person, also in place of another result */
    EVENT_OVER,     /* reveals the secret */
    EVENT_OFF,      /* the same: it does not take place, or ends before its time */
    EVENT_AGREED,   /* the partner of a pair plays, too */
    EVENT_PAUSED,   /* the clocks of this one's matches stand still */
    EVENT_RESUMED,  /* they run again */
};

struct event_rules {
    char id[PROTOCOL_ROOM_BYTES + 1]; /* as that of a room */
    char title[PROTOCOL_TITLE_BYTES + 1];
    /* What is played at the tables, as of `create` (protocol/README.md): objects of JSON, without
     * white space, members sorted. How many play at one is not in it. */
    char game[PROTOCOL_GAME_BYTES + 1];
    char options[EVENT_OBJECT_MAX + 1];
    char clock[EVENT_OBJECT_MAX + 1];
    enum event_form form;
    enum event_points points;
    /* Of tables and of a Swiss event; of a round robin and of groups how often each two meet, 1 or
     * 2; of a cup of how many matches the most decide, 1 or 3. */
    uint16_t rounds;
    /* Of tables: then the first four play one more for their places; of a cup: who has just missed
     * the last match plays for the third place. */
    bool final;
    bool pairs;           /* entrants are two people who play together; not at tables */
    uint16_t least, most; /* entrants: with fewer it does not take place */
    bool guests;          /* those without an account may enter, too */
    int64_t start_ms;
    uint32_t check_in_s; /* so long before the start who plays has to say so; 0: nobody is asked */
    uint32_t break_s;    /* between two rounds */
    uint32_t round_s;    /* tables that are not over then share the win */
    uint32_t wait_s;     /* so long a table that has not begun waits for who is missing */
    uint32_t pause_s; /* of groups: so long everybody may let their clocks stand still; 0: never */
    uint8_t commitment[DEAL_COMMITMENT_BYTES]; /* SHA-256 of the secret */
};

struct event_seating {
    uint16_t round; /* from 1 */
    uint16_t tables;
    uint8_t seats[EVENT_TABLES_MAX];
    uint16_t seat[EVENT_TABLES_MAX][EVENT_SEATS_MAX]; /* entrants; who begins is first */
};

/* Places as in a race, 1 is best: after two who share one there is none for the next. 0: was not
 * there. */
struct event_outcome {
    uint16_t round, table; /* from 1 */
    uint8_t seats;
    uint8_t place[EVENT_SEATS_MAX];     /* of each seat */
    char room[PROTOCOL_ROOM_BYTES + 1]; /* ""; no room's */
};

struct event_entry {
    uint64_t n;
    int64_t at_ms;
    uint64_t by; /* an account; 0: the server itself */
    enum event_kind kind;
    char reason[EVENT_REASON_BYTES + 1]; /* "": none */
    union {
        struct event_rules made;
        struct {
            uint16_t entrant;
            uint64_t account; /* of EVENT_JOINED */
            uint64_t partner; /* the same, of a pair */
            uint16_t rating;  /* the same: what the server knew of them then; 0: nothing */
        } who;                /* EVENT_JOINED to EVENT_REMOVED, EVENT_AGREED to EVENT_RESUMED */
        struct event_seating paired;
        struct event_outcome outcome;      /* EVENT_RESULT, EVENT_JUDGED */
        uint8_t secret[DEAL_SECRET_BYTES]; /* EVENT_OVER, EVENT_OFF */
    } u;
};

/* As it stands in a log. */
const char *event_form_name(enum event_form form);
const char *event_points_name(enum event_points points);

/* Its line without an end of line, 0-terminated; how long. */
size_t event_write(const struct event_entry *entry, char line[static EVENT_LINE_MAX + 1]);

enum event_read { EVENT_READ, EVENT_NOT_READ, EVENT_READ_NO_MEMORY };
/* EVENT_NOT_READ: it is no entry, or not in its one form. */
enum event_read event_read(struct event_entry *entry, const char *line, size_t len);

#endif
