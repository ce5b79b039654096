/*
 * What game_taluva's table is made of, by file. The contracts stand in cli/game.h.
 */
#ifndef CLI_TALUVA_PARTS_H
#define CLI_TALUVA_PARTS_H

#include "cursor.h"
#include "map_draw.h"
#include <cli/game.h>

/* create.c */
extern const struct option_row taluva_create_rows[];
json_t *taluva_create_options(const void *values);

/* words.c */
extern const char *const taluva_colours[];
void taluva_options_print(const json_t *options, FILE *out);
void taluva_title(char *text, size_t size, const json_t *state);
void taluva_task(char *text, size_t size, const json_t *state);
void taluva_prompt(char *text, size_t size, const struct game_room *room);
void taluva_move_sentence(char *text, size_t size, const char *who, const json_t *event);
void taluva_seat_line(char *text, size_t size, const json_t *state, int seat);
const char *taluva_seat_word(const json_t *state, int seat);

/* panel_parts.c */
int taluva_draw_sides(struct canvas *canvas, int x, int y, int columns, const json_t *state);
int taluva_draw_result(struct canvas *canvas, int x, int y, int columns, const json_t *state);
int taluva_draw_hand(const struct game_view *view, struct canvas *canvas, int x, int y, int columns,
                     const json_t *state);

/* view.c */
struct cursor *taluva_view_cursor(struct game_view *view);
const struct cursor *taluva_view_chosen(const struct game_view *view);
const struct map_window *taluva_view_window(const struct game_view *view);
struct map_at taluva_view_focus(const struct game_view *view);
void taluva_view_turn(struct game_view *view, int rotation); /* the tile in hand */
extern const struct game_view_command taluva_view_commands[];
extern const struct game_page taluva_pages[];
extern const struct game_end taluva_ends[];
int taluva_view_rotation(const struct game_view *view); /* of the tile in hand */
struct game_view *taluva_view_create(bool small);
void taluva_view_destroy(struct game_view *view);
void taluva_view_reset(struct game_view *view);
void taluva_view_event(struct game_view *view, const json_t *push);
void taluva_view_pan(struct game_view *view, int columns, int rows);
void taluva_view_follow(struct game_view *view);
bool taluva_view_draw(struct game_view *view, const struct game_room *room, struct canvas *canvas);
bool taluva_view_draw_all(struct game_view *view, const struct game_room *room,
                          struct canvas *canvas, bool ascii);

/* view_choose.c */
extern const struct game_chooser taluva_chooser;

/* move_input.c */
enum game_input taluva_move_read(struct game_move *move, const char *line,
                                 const struct game_view *view, const struct game_room *room);
void taluva_move_write(char *text, size_t size, const char *move, const char *begun,
                       const struct game_room *room);

const char *taluva_move_mark(const char *move, const struct game_room *room);

/* choose.c */
const char *taluva_move_choose(struct rng *rng, const json_t *state, const char **moves,
                               size_t count);

/* replay_record.c, replay_object.c */
void taluva_replay_record(struct replay *replay, const struct record *record,
                          struct deal_stream *stream);
void taluva_replay_object(struct replay *replay, const json_t *object);

/* turn_words.c */
void taluva_turn_words(char *text, size_t size, const struct game_room *room, const json_t *moves);

/* engine.c */
extern const struct game_engine taluva_engine;

/* analyse.c */
int taluva_analyse(const struct record *record, const struct analyse_wish *wish);

/* cmd_*.c */
extern const struct command taluva_command_legal;
extern const struct command taluva_command_perft;
extern const struct command taluva_command_show;

#endif
