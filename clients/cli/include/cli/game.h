/*
 * What the terminal client knows of one game: everything that it draws, prints or asks in a way
 * that depends on the game's rules. A game is one table of functions and words in a folder of its
 * own; the rest of the client knows the table and no game.
 *
 * States, events and requests are the server's JSON and are borrowed. A function that fills a text
 * gets the buffer and its size, and always terminates it. States come from the network: what
 * cannot be read is left out. No function may keep what it was given, but for the view.
 */
#ifndef CLI_GAME_H
#define CLI_GAME_H

#include <base/rng.h>
#include <cli/analyse.h>
#include <cli/canvas.h>
#include <cli/command.h>
#include <cli/engine.h>
#include <cli/replay.h>
#include <jansson.h>
#include <protocol/deal.h>
#include <protocol/limits.h>
#include <protocol/record.h>
#include <stdatomic.h>

/* The room as it is to be shown. */
struct game_room {
    const json_t *state; /* NULL: nothing is known yet */
    const json_t *legal; /* the reply to `moves`; NULL if it is not known or not our move */
    int seat;            /* ours, or -1 */
};

/* What one person has chosen to look at: part, size, rotation. Each game defines its own. */
struct game_view;

/* A command of the game that is typed at the table: it changes the view alone, or tells what is
 * there. */
struct game_view_command {
    const char *name, *operands, *help;
    /*
     * `text` is what follows the name. An answer for the person goes to `answer`, else "".
     * True if the whole picture is another one and is to be printed where only lines are shown.
     */
    bool (*run)(struct game_view *view, const struct game_room *room, const char *text,
                char *answer, size_t size);
};

enum game_input {
    GAME_INPUT_UNKNOWN, /* it is no move */
    GAME_INPUT_MOVE,
    GAME_INPUT_WRONG, /* it begins like a move, but is none: `problem` says why */
};

enum { GAME_PROBLEM = 160 };
struct game_move {
    char text[PROTOCOL_MOVE_BYTES + 1]; /* as the server takes it */
    bool confirm;                       /* also if it eliminates its player */
    char problem[GAME_PROBLEM];         /* a sentence, where it is none */
};

/* Moves of one seat, to be played one after the other as long as nobody else acts. */
enum { GAME_PLAN_MOVES = 3 };
struct game_plan {
    struct game_move moves[GAME_PLAN_MOVES];
    unsigned count; /* 0: cancelled */
};

/*
 * A computer player of this program's own, which knows what its seat has been told: it hears each
 * event, asks a question of the state, and thinks about it on any thread.
 */
struct game_thinker {
    size_t known_size; /* bytes of what it keeps of a match; zeros before the first event */
    /* Each event's push once, in order, from the first one of the match on. */
    void (*hear)(void *known, const json_t *push);

    size_t question_size; /* bytes; aligned as malloc aligns */
    /* Copies all that thinking needs. False if the state shows no position of the seat's turn. */
    bool (*ask)(void *question, const void *known, const json_t *state, int seat);

    /* How much memory a level thinks in; 0: none. */
    size_t (*memory_bytes)(unsigned level);
    /*
     * `level` is from 1, as in the game's `levels`. The same question, level and seed give the same
     * plan, unless *cancel becomes true, which is looked at often; then the plan may be empty.
     */
    void (*think)(const void *question, unsigned level, uint64_t seed, const atomic_bool *cancel,
                  void *memory, size_t memory_bytes, struct game_plan *plan);
    /*
     * In a game with secrets, longer than any thought takes: the move is not sent before that, so
     * that nobody learns from the time what was thought about. 0: it is sent at once.
     */
    unsigned answer_ms;
};

/* What a person does who chooses a move by keys; each game says what it means there. */
enum game_choose_key {
    GAME_CHOOSE_LEFT,
    GAME_CHOOSE_RIGHT,
    GAME_CHOOSE_UP,
    GAME_CHOOSE_DOWN,
    GAME_CHOOSE_TURN, /* a character of `turn`, the wheel */
    GAME_CHOOSE_TURN_BACK,
    GAME_CHOOSE_NEXT, /* Tab */
    GAME_CHOOSE_BEFORE,
};

/* What a click has done. */
enum game_choose_point {
    GAME_CHOOSE_NOTHING, /* nothing can be chosen there */
    GAME_CHOOSE_OTHER,   /* something else is chosen now */
    GAME_CHOOSE_SAME,    /* what was chosen already */
};

/*
 * Choosing a move by keys and mouse. What is chosen is kept in the view, and view_draw shows it.
 * `room->legal` is known when any of these is called.
 */
struct game_chooser {
    const char *keys;  /* what the keys do, in at most 54 columns */
    const char *help;  /* the same for `help`: lines of at most 52 columns, each with its \n */
    const char *offer; /* the same before anything is chosen */
    const char *turn, *turn_back; /* the characters that do that */
    /* Begins; at this move if it is legal, NULL: where the game likes. False if there is nothing to
     * choose, or memory ran out. */
    bool (*open)(struct game_view *view, const struct game_room *room, const char *move);
    void (*close)(struct game_view *view); /* also if nothing is being chosen */
    void (*press)(struct game_view *view, const struct game_room *room, enum game_choose_key key);
    /* A click at (x, y) of what view_draw has drawn. `seen`: the picture has what is chosen; else
     * this very click has begun the choice, and cannot mean what that shows. */
    enum game_choose_point (*point)(struct game_view *view, const struct game_room *room, int x,
                                    int y, bool seen);
    /* What is chosen, as the server takes it. False if it is no move yet: `problem` says why. */
    bool (*move)(const struct game_view *view, const struct game_room *room,
                 struct game_move *move);
};

/* A page of help that can be asked for at the table: lines of at most 52 columns. */
struct game_page {
    const char *name, *text;
};

/* How a match of the game ends, by `result.why`: words that go behind "The match is over: ", in at
 * most 19 columns. */
struct game_end {
    const char *why, *words;
};

/* Takes what somebody could type. */
typedef void game_offer_fn(void *user, const char *line);

struct game {
    const char *name; /* as a room's state and a record name it: "taluva" */
    /* The words for a seat's pieces, NULL behind the last; NULL: nobody chooses a colour. */
    const char *const *colours;
    /* The words for the levels of the server's computer players, weakest first; NULL at the end. */
    const char *const *levels;
    int seats_max;
    bool has_secrets;       /* a player sees what another must not */
    unsigned rules_version; /* the newest version of its rules that it can replay */
    const char *input_help; /* how moves are typed: lines of at most 52 columns, each with its \n */
    const struct command *const
        *commands; /* its tools for the command line; NULL behind the last */
    const struct game_view_command *view_commands; /* the name of the last row is NULL */
    const struct game_page *pages;                 /* the name of the last is NULL; NULL: none */
    const struct game_end *ends;                   /* the last has NULL; NULL: none of its own */
    const char *legend; /* the signs of the picture, in two lines; NULL: none */

    /* ---- `create` */
    const struct option_row *create_rows;          /* at most GAME_OPTIONS_MAX bytes of values */
    size_t create_size;                            /* of the struct that they fill */
    json_t *(*create_options)(const void *values); /* the request's `options`; a new reference */

    /* ---- words */
    void (*options_print)(const json_t *options, FILE *out); /* on one line, without its end */
    /* What the title says of the match, such as "turn 3  stack 20"; "" before the start. */
    void (*title)(char *text, size_t size, const json_t *state);
    /* What is asked of who may move, such as "place JC". */
    void (*task)(char *text, size_t size, const json_t *state);
    /* The same for the prompt of the one who may, such as "place". */
    void (*prompt)(char *text, size_t size, const struct game_room *room);
    /* The event of a move as a sentence; `who` is its player. */
    void (*move_sentence)(char *text, size_t size, const char *who, const json_t *event);
    /* What `undo` took back, behind the player's name: "takes the tile back". */
    const char *undone;
    /*
     * What followed from an event that is no move, such as a resignation, as sentences; "" if
     * nothing did. NULL: nothing ever does.
     */
    void (*event_sentence)(char *text, size_t size, const json_t *event);
    /* A seat's pieces on one line of at most 22 columns; "" before the start. */
    void (*seat_line)(char *text, size_t size, const json_t *state, int seat);
    /* One word for a seat that no longer plays, such as "out"; "" for all others. */
    const char *(*seat_word)(const json_t *state, int seat);
    struct style (*colour_style)(const char *colour); /* NULL and unknown words: no colour */

    /* ---- pictures beside the players: lines from (x, y) on, `columns` wide; how many */
    int (*draw_sides)(struct canvas *canvas, int x, int y, int columns, const json_t *state);
    int (*draw_result)(struct canvas *canvas, int x, int y, int columns, const json_t *state);
    int (*draw_hand)(const struct game_view *view, struct canvas *canvas, int x, int y, int columns,
                     const json_t *state);

    /* ---- the picture of the table */
    struct game_view *(*view_create)(bool small);                   /* NULL if memory ran out */
    void (*view_destroy)(struct game_view *view);                   /* takes NULL */
    void (*view_reset)(struct game_view *view);                     /* a whole state has come */
    void (*view_event)(struct game_view *view, const json_t *push); /* an event was applied */
    void (*view_pan)(struct game_view *view, int columns, int rows);
    void (*view_follow)(struct game_view *view); /* ends panning: shows where something happens */
    /* False if there is nothing to show: the match has not begun, or memory ran out. */
    bool (*view_draw)(struct game_view *view, const struct game_room *room, struct canvas *canvas);
    /* The same as a canvas as large as it takes; the caller releases it. */
    bool (*view_draw_all)(struct game_view *view, const struct game_room *room,
                          struct canvas *canvas, bool ascii);

    const struct game_chooser *chooser; /* NULL: moves are typed alone */

    /* ---- moves */
    enum game_input (*move_read)(struct game_move *move, const char *line,
                                 const struct game_view *view, const struct game_room *room);
    /* A legal move as one would type it who has begun with `begun` ("" for a list of moves). */
    void (*move_write)(char *text, size_t size, const char *move, const char *begun,
                       const struct game_room *room);
    /* A sign beside a legal move in a list, "" for most; and what the signs mean. NULL: none. */
    const char *(*move_mark)(const char *move, const struct game_room *room);
    const char *marks_help;
    /*
     * What could be typed, or typed on, where the server lists no moves because there are too many:
     * offers lines that begin with `begun`; examples for "". NULL: it always lists them.
     */
    void (*move_offer)(const struct game_room *room, const char *begun, game_offer_fn *offer,
                       void *user);
    /* What a random player does: one of the moves, which may be sorted anew; count is at least 1.
     */
    const char *(*move_choose)(struct rng *rng, const json_t *state, const char **moves,
                               size_t count);
    /*
     * The same where the server lists no moves; `room->legal` is its answer. False if that says
     * nothing that can be done. NULL: it always lists them.
     */
    bool (*move_make)(struct game_move *move, struct rng *rng, const struct game_room *room);

    /*
     * What a turn of a hint would do, by its moves: words without an end, such as "threatens
     * temple@2,1"; "" if there is nothing to say. NULL: there never is.
     */
    void (*turn_words)(char *text, size_t size, const struct game_room *room, const json_t *moves);

    /* Plays as the server's computer players do, at the same levels. NULL: only a server can. */
    const struct game_thinker *thinker;
    /* Engines, whose position is the thinker's question; NULL: there are none. */
    const struct game_engine *engine;

    /* ---- checking recorded games */
    /* A record whose deal is revealed. `stream`: prove the deal with it too; NULL: take it as the
     * record has it.
     */
    void (*replay_record)(struct replay *replay, const struct record *record,
                          struct deal_stream *stream);
    /* A game as one JSON object, in the game's own form. */
    void (*replay_object)(struct replay *replay, const json_t *object);

    /* ---- looking back at a match */
    /* One whose record has no differences; an enum exit_code. NULL: it cannot be done. */
    int (*analyse)(const struct record *record, const struct analyse_wish *wish);
};

enum { GAME_OPTIONS_MAX = 256 };

/* The games that this program knows; the first is meant where none is named. Ends with NULL. */
void games_set(const struct game *const *list);
const struct game *games_default(void);
const struct game *games_find(const char *name); /* NULL if it is not known */
const struct game *games_at(size_t i);           /* NULL behind the last */
/* A level of computer players, from 1, by its number or word; 0: the game has no such level. */
unsigned game_level_of(const struct game *game, const char *text);
/* The words for how a match has ended; `why` itself where there are none. */
const char *game_end_words(const struct game *game, const char *why);
/* NULL: the game has no such page. */
const struct game_page *game_find_page(const struct game *game, const char *name);

#endif
