/*
 * The commands of the client and those of its games as one list, and all options that each takes.
 */
#ifndef CLI_COMMAND_TABLE_H
#define CLI_COMMAND_TABLE_H

#include <cli/game.h>

extern const struct command command_adopt;
extern const struct command command_analyse;
extern const struct command command_appeal;
extern const struct command command_archive;
extern const struct command command_bot;
extern const struct command command_block;
extern const struct command command_blocks;
extern const struct command command_bots;
extern const struct command command_cases;
extern const struct command command_chat;
extern const struct command command_claim;
extern const struct command command_close;
extern const struct command command_judge;
extern const struct command command_keep;
extern const struct command command_unblock;
extern const struct command command_unfollow;
extern const struct command command_unlink;
extern const struct command command_create;
extern const struct command command_devices;
extern const struct command command_engine;
extern const struct command command_enter;
extern const struct command command_event;
extern const struct command command_export;
extern const struct command command_follow;
extern const struct command command_friends;
extern const struct command command_games;
extern const struct command command_invite;
extern const struct command command_join;
extern const struct command command_leaders;
extern const struct command command_link;
extern const struct command command_phrase;
extern const struct command command_play;
extern const struct command command_quiet;
extern const struct command command_ratings;
extern const struct command command_record;
extern const struct command command_replay;
extern const struct command command_revoke;
extern const struct command command_rooms;
extern const struct command command_seek;
extern const struct command command_token;
extern const struct command command_tokens;
extern const struct command command_verify;
extern const struct command command_watch;
extern const struct command command_whois;

/* The client's and the game's commands by name: the first one behind `after`; NULL at the end. */
const struct command *command_next(const struct game *game, const char *after);
const struct command *command_find(const struct game *game, const char *name);

/* Which struct the values of a table of options go to. */
enum command_values {
    VALUES_OWN,    /* the command's */
    VALUES_GAME,   /* the game's, of `create` */
    VALUES_ROOM,   /* struct room_options */
    VALUES_WHERE,  /* struct seat_options */
    VALUES_ONLINE, /* struct online_options */
};

/* All options of a command in the order of its help, table by table. */
enum { COMMAND_SEAT_ROWS = 3, COMMAND_TABLES_MAX = 8 };
struct command_rows {
    struct option_row seats[COMMAND_SEAT_ROWS]; /* they depend on the game */
    struct {
        const struct option_row *rows;
        enum command_values values;
    } tables[COMMAND_TABLES_MAX];
    size_t count;
};
void command_rows_of(struct command_rows *rows, const struct game *game,
                     const struct command *command);

extern const struct option_row command_online_rows[];  /* that lead to a server */
extern const struct option_row command_drawing_rows[]; /* how a table is drawn */

#endif
