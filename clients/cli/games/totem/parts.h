/*
 * What game_totem's table is made of, by file. The contracts stand in cli/game.h.
 */
#ifndef CLI_TOTEM_PARTS_H
#define CLI_TOTEM_PARTS_H

#include "form_draw.h"
#include <cli/game.h>

/* create.c */
extern const struct option_row totem_create_rows[];
json_t *totem_create_options(const void *values);

/* words.c */
void totem_options_print(const json_t *options, FILE *out);
void totem_title(char *text, size_t size, const json_t *state);
void totem_task(char *text, size_t size, const json_t *state);
void totem_prompt(char *text, size_t size, const struct game_room *room);
void totem_seat_line(char *text, size_t size, const json_t *state, int seat);
const char *totem_seat_word(const json_t *state, int seat);
struct style totem_colour_style(const char *colour);
/* What the seat is asked, or whom everybody waits for, on one line. */
void totem_ask(char *text, size_t size, const struct game_room *room);

/* hut_words.c */
/* Who is in a hut, such as "R1", and what lies on it; false if there is no such hut. */
bool totem_hut_text(char *text, size_t size, const json_t *state, const char *name);

/* event_words.c */
void totem_move_sentence(char *text, size_t size, const char *who, const json_t *event);
void totem_event_sentence(char *text, size_t size, const json_t *event);

/* panel_parts.c */
int totem_draw_sides(struct canvas *canvas, int x, int y, int columns, const json_t *state);
int totem_draw_result(struct canvas *canvas, int x, int y, int columns, const json_t *state);
int totem_draw_hand(const struct game_view *view, struct canvas *canvas, int x, int y, int columns,
                    const json_t *state);

/* view.c */
struct form *totem_view_form(struct game_view *view);
const struct form *totem_view_chosen(const struct game_view *view);
const struct form_place *totem_view_form_place(const struct game_view *view);
extern const struct game_view_command totem_view_commands[];
struct game_view *totem_view_create(bool small);
void totem_view_destroy(struct game_view *view);
void totem_view_reset(struct game_view *view);
void totem_view_event(struct game_view *view, const json_t *push);
void totem_view_pan(struct game_view *view, int columns, int rows);
void totem_view_follow(struct game_view *view);
bool totem_view_draw(struct game_view *view, const struct game_room *room, struct canvas *canvas);
bool totem_view_draw_all(struct game_view *view, const struct game_room *room,
                         struct canvas *canvas, bool ascii);

/* view_choose.c */
extern const struct game_chooser totem_chooser;

/* move_input.c */
enum game_input totem_move_read(struct game_move *move, const char *line,
                                const struct game_view *view, const struct game_room *room);
void totem_move_write(char *text, size_t size, const char *move, const char *begun,
                      const struct game_room *room);

/* move_offer.c */
void totem_move_offer(const struct game_room *room, const char *begun, game_offer_fn *offer,
                      void *user);

/* choose.c */
const char *totem_move_choose(struct rng *rng, const json_t *state, const char **moves,
                              size_t count);
bool totem_move_make(struct game_move *move, struct rng *rng, const struct game_room *room);

/* cmd_*.c */
extern const struct command totem_command_legal;
extern const struct command totem_command_show;

/* help.c */
extern const struct game_page totem_pages[];
extern const struct game_end totem_ends[];

#endif
