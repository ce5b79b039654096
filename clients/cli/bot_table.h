/*
 * A bot: a session with a seat at each of its tables. cmd_bot.c starts and ends it, bot_table.c
 * plays at one table, bot_mind.c thinks for it where a level was asked for.
 */
#ifndef CLI_BOT_TABLE_H
#define CLI_BOT_TABLE_H

#include "bot_mind.h"
#include "online.h"

struct bot_options {
    int64_t seed, games, delay_ms;
    const char *level;  /* a number or a word; NULL: any legal move */
    const char *engine; /* a command line; NULL: none */
    int64_t simulations, time_ms;
    bool start;
};

enum { BOT_TABLES_MAX = 32 };

struct bot;

struct bot_table {
    struct bot *bot;
    char room[PROTOCOL_ROOM_BYTES + 1];
    struct rng rng;
    uv_timer_t timer;
    struct bot_mind mind;
    bool busy; /* a request is on its way or due, or it thinks */
    bool done;
    int64_t games_left;
    char finished[PROTOCOL_ROOM_BYTES + 1]; /* the last match that was counted */
    int64_t agreed_at;                      /* the state in which it has agreed to an offer */
    int64_t moved_at;                       /* the state in which it has sent its latest move */
    int refusals;                           /* of moves in that state */
};

struct bot {
    struct online *online;
    const struct bot_options *options;
    struct bot_table tables[BOT_TABLES_MAX];
    size_t table_count;
    int exit_code;    /* what went wrong first, or EXIT_OK */
    bool leaving;     /* was interrupted */
    size_t farewells; /* requests to leave without their reply */
    uv_timer_t patience;
    void (*ended)(struct bot *bot, int exit_code); /* a table has ended */
};

/* Takes the seat. */
void bot_table_enter(struct bot_table *table, int seat, const char *colour);
/* Does whatever is to be done next, unless it is busy. */
void bot_table_look(struct bot_table *table);
void bot_table_hear(struct bot_table *table, const json_t *push);
/* This table is done for; `why` is a sentence, or NULL if it was said. */
void bot_table_end(struct bot_table *table, int exit_code, const char *why);
void bot_table_refused(struct bot_table *table, const json_t *error);

#endif
