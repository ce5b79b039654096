/*
 * The table for people, shared by its parts, each of which uses those below it: play_table.c (what
 * comes from the server and the keyboard), play_complete.c (Tab), play_command.c (what is typed),
 * play_ask.c (what is asked of the server), play_picture.c (what is shown), play_room.c (what is
 * known).
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "input.h"
#include "panel.h"
#include "play.h"
#include "record_fetch.h"
#include "screen.h"

struct table {
    struct online *online;
    struct play_plan *plan;
    struct screen screen;
    struct prompt *prompt; /* with a terminal */
    struct input *input;   /* without */
    uv_timer_t tick;       /* the clocks */
    uv_prepare_t pace;     /* of `input`, in a match without a server */
    uv_signal_t resized, suspended;
    bool has_handles;
    char room[PROTOCOL_ROOM_BYTES + 1]; /* "" before it is entered */
    const char *status;                 /* the state of the connection, for the title */
    bool legend_told;                   /* what the picture's signs mean */
    bool input_ended;                   /* of who is no terminal */
    bool is_lost;                       /* the match, which was not over */
    bool end_told;                      /* that the match is over, and what can be done then */
    bool break_asked;                   /* what a second Control-C loses; nothing was typed since */

    const struct game *game; /* the one of the room; until that is known, the one that was named */
    struct game_view *view;  /* of this game */

    char *page;    /* lines shown instead of the island, NULL: none */
    int page_from; /* the row of it that is the first one shown */

    json_t *legal;                        /* the answer to `moves`; NULL if it is not known now */
    int64_t legal_seq;                    /* of the state it belongs to, or that was asked for */
    size_t listed;                        /* of `moves`: how many were shown already */
    char filter[64];                      /* of `moves` */
    char back[ONLINE_COMMAND];            /* how to come back, once it is known */
    bool choosing;                        /* a move, by keys */
    char chosen[PROTOCOL_MOVE_BYTES + 1]; /* meanwhile, until it is known what is legal; or "" */
    bool is_sure;        /* a move that would put its player out was shown, y plays it */
    uint64_t clicked_ms; /* when a click chose something */
    char to_confirm[PROTOCOL_MOVE_BYTES + 1]; /* a placement that would eliminate, or "" */

    int person;              /* of the hot seat: who sits at the keyboard, or is to */
    bool has_curtain;        /* nothing is shown until that one presses Enter */
    struct table_news *news; /* of the hot seat: what each has missed; NULL: nothing */

    struct record_fetch fetch;
    void (*record_done)(struct table *);
    char record_path[1024]; /* where the record that is being fetched goes */
    char record_name[32];   /* the usual one */
    bool record_kept;       /* the whole one, of a match that is over */
    bool record_asked;      /* whether it is to be kept, before the end of the program */
};

/* play_room.c */
/* The room as it is known; NULL before it is entered. */
const struct wire_room *table_room(const struct table *table);
const json_t *table_state(const struct table *table);
struct game_room table_game_room(const struct table *table); /* what the game is shown */
bool table_is_ours(const struct table *table);               /* it is our seat's move */
/* Where we sit, or WIRE_NO_SEAT; who only watches sits nowhere, whatever the session has. */
int table_seat(const struct table *table);
/* Who sits at the keyboard, or is to; NULL if there is only one person. */
const char *table_person_name(const struct table *table);
/* The seat that is called "A", "a" or "0"; WIRE_NO_SEAT: the word is none of this game. */
int table_find_seat(const struct table *table, const char *word, size_t len);
/* The legal moves of our seat, if they are known. */
const json_t *table_legal(const struct table *table);
/* By keys: it is our move, and the game has that. */
bool table_may_choose(const struct table *table);
/* What is being chosen. False if it is no move yet, or nothing is. */
bool table_choice(const struct table *table, struct game_move *move);
void table_say_lines(struct table *table, const char *text); /* each line of it */
void table_say(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* play_picture.c */
/* The prompt names what the player has to do, or what is being chosen. */
void table_prompt(struct table *table);
/* The same, but it is shown with the next line that is said. */
void table_prompt_anew(struct table *table);
int table_map_columns(const struct table *table); /* of the game's picture, beside the players */
void table_paint(struct table *table);
/* The island and the players as lines, where there is no picture. */
void table_print(struct table *table);
struct panel table_panel(const struct table *table);
/* Draws everything again, the players included where there are only lines. */
void table_show(struct table *table);
/* Shows lines in place of the island, in rows of whole words, until the next line is typed. */
void table_show_page(struct table *table, const char *text);
void table_close_page(struct table *table);
/* So many rows, or times what is seen at once, further down. False: there is no page, or all of it
 * is seen. */
bool table_scroll_page(struct table *table, int rows);
bool table_turn_page(struct table *table, int pages);
void table_show_log(struct table *table); /* the lines that were said, from their end */

/* play_ask.c */
/* Sends a request about the room, unless it is a player's and we only watch. */
void table_request(struct table *table, json_t *request, wire_reply_fn *reply);
/* The same; a refusal is said in a sentence. */
void table_ask(struct table *table, json_t *request);
void table_move(struct table *table, const char *move, bool confirm);

/* play_choose.c: a move that is chosen by keys */
/* A key while the line is empty; true if it is used up. */
bool table_press(struct table *table, const struct key *key);
void table_pan(struct table *table, enum key_kind key);
/* Legal moves are asked for as soon as it is our move: for Tab, `moves` and the picture. */
void table_ask_legal(struct table *table);
void table_choose_rest(struct table *table); /* the state is another one */
void table_choose_stop(struct table *table); /* nothing is played; nothing, if none is chosen */

/* play_record.c */
/*
 * Fetches the record of the match and writes it to the file, which is a new one; NULL: to the usual
 * one. `done` is called after that, or after it failed.
 */
void table_keep_record(struct table *table, const char *path, void (*done)(struct table *));

/* play_report.c */
/* `report SEAT WHY [TEXT]`: tells those who look after the server of who sits there. */
void table_report(struct table *table, const char *text);
extern const char *const table_report_whys[]; /* the reasons there are; NULL at the end */

/* play_leave.c */
/* `quit`: ends the program, or says what would be lost; `quit yes` always ends it. */
void table_quit(struct table *table, const char *text);
void table_stop(struct table *table); /* asks nothing */
/* Control-C, and Control-D: true if the program goes on. What was typed or chosen is dropped first;
 * what would be lost by the end is said once. */
bool table_break(struct table *table);

/* play_hotseat.c */
/* A person at this terminal was told of an event. True if another one is to sit down: all that is
 * shown is another's. */
bool table_told(struct table *table, int person, const struct wire_room *room, const json_t *push);
/* Who was asked to is there now. False if nobody was asked. */
bool table_lift_curtain(struct table *table);

/* play_command.c: a line that was typed. */
void table_line(struct table *table, const char *line);
/* Leaves for the room of the rematch, and sits down there, or watches; says so if there is none. */
void table_follow_rematch(struct table *table);
/* The name of the first command, of ours or of the game's view, behind `after`; NULL at the end. */
const char *table_command_next(const struct table *table, const char *after);

/* play_complete.c: what Tab makes of the line up to the cursor. */
void table_complete(struct table *table, const char *text, char *insert, size_t size);

#endif
