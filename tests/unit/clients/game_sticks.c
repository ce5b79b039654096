#include "game_sticks.h"

#include <assert.h>
#include <cli/state.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SEATS = 7, TAKE_MAX = 3 };

static const char *const colours[] = {"green", "blue", NULL};

/* ---- create */

struct create {
    int64_t sticks;
};

static const struct option_row create_rows[] = {
    {.name = "sticks",
     .kind = OPTION_NUMBER,
     .value = "N",
     .help = "how many lie there",
     .offset = offsetof(struct create, sticks),
     .min = 1,
     .max = 99,
     .initial = 20},
    {.name = NULL},
};

static json_t *create_options(const void *values)
{
    const struct create *options = values;
    return json_pack("{s:I}", "sticks", (json_int_t)options->sticks);
}

/* ---- words */

static void options_print(const json_t *options, FILE *out)
{
    fprintf(out, "%d sticks", state_number(options, "sticks"));
}

static void title(char *text, size_t size, const json_t *state)
{
    snprintf(text, size, "%d left", state_number(state, "table.sticks"));
}

static void task(char *text, size_t size, const json_t *state)
{
    (void)state;
    snprintf(text, size, "take sticks");
}

static void prompt(char *text, size_t size, const struct game_room *room)
{
    snprintf(text, size, "how many, seat %d", room->seat);
}

/* A match that ends by resignation has sticks left. */
static void event_sentence(char *text, size_t size, const json_t *event)
{
    int left = state_number(event, "left");
    text[0] = '\0';
    if (left > 0)
        snprintf(text, size, "%d sticks are left.", left);
}

static void move_sentence(char *text, size_t size, const char *who, const json_t *event)
{
    snprintf(text, size, "%s did %s.", who, state_text(event, "move"));
}

static void seat_line(char *text, size_t size, const json_t *state, int seat)
{
    const json_t *taken = state_of_seat(state, "table.taken", seat);
    snprintf(text, size, "has %d", (int)json_integer_value(taken));
}

static const char *seat_word(const json_t *state, int seat)
{
    (void)state;
    (void)seat;
    return "";
}

static struct style colour_style(const char *colour)
{
    bool green = colour && strcmp(colour, "green") == 0;
    return (struct style){TINT_INK, green ? TINT_GREEN : TINT_SKY, false};
}

static int draw_sides(struct canvas *canvas, int x, int y, int columns, const json_t *state)
{
    (void)state;
    canvas_text(canvas, x, y, columns, (struct style){0}, "each for himself");
    return 1;
}

static int draw_result(struct canvas *canvas, int x, int y, int columns, const json_t *state)
{
    canvas_printf(canvas, x, y, columns, (struct style){0}, "%s took the last",
                  state_seat_name(state, state_number(state, "result.winner")));
    return 1;
}

/* ---- the view */

struct game_view {
    char stick;
    int moves, panned;
    int chosen;   /* so many are to be taken; 0: nobody chooses */
    int left;     /* sticks out of sight */
    bool is_held; /* the person has clicked or moved it */
};

static int draw_hand(const struct game_view *view, struct canvas *canvas, int x, int y, int columns,
                     const json_t *state)
{
    (void)state;
    canvas_printf(canvas, x, y, columns, (struct style){0}, "%d moves seen", view->moves);
    return 1;
}

static struct game_view *view_create(bool small)
{
    struct game_view *view = calloc(1, sizeof *view);
    if (view)
        view->stick = small ? '.' : '|';
    return view;
}

static void view_destroy(struct game_view *view)
{
    free(view);
}

static void view_reset(struct game_view *view)
{
    view->moves = 0;
}

static void view_event(struct game_view *view, const json_t *push)
{
    view->moves += strcmp(state_text(push, "event.kind"), "move") == 0;
}

static void view_pan(struct game_view *view, int columns, int rows)
{
    view->panned += columns + rows;
    view->is_held = true;
}

static void view_follow(struct game_view *view)
{
    view->panned = 0;
    view->is_held = false;
}

static bool view_draw(struct game_view *view, const struct game_room *room, struct canvas *canvas)
{
    if (!state_at(room->state, "table"))
        return false;
    if (!view->is_held)
        view->left = view->stick == '>' && view->chosen > 0 ? 1 : 0;
    for (int x = 0; x < state_number(room->state, "table.sticks") - view->left; x++)
        canvas_put(canvas, x, 0, (uint32_t)view->stick, (struct style){0});
    if (room->legal)
        canvas_printf(canvas, 0, 1, 40, (struct style){0}, "known at %d",
                      state_number(room->legal, "seq"));
    return true;
}

static bool view_draw_all(struct game_view *view, const struct game_room *room,
                          struct canvas *canvas, bool ascii)
{
    return state_at(room->state, "table") && canvas_init(canvas, 100, 1, ascii) &&
           view_draw(view, room, canvas);
}

static bool run_stick(struct game_view *view, const struct game_room *room, const char *text,
                      char *answer, size_t size)
{
    (void)room;
    if (text[0] == '\0' || text[1] != '\0') {
        snprintf(answer, size, "One character.");
        return false;
    }
    view->stick = *text;
    return true;
}

static const struct game_view_command view_commands[] = {
    {"stick", "CHARACTER", "draws the sticks with it", run_stick},
    {NULL, NULL, NULL, NULL},
};

/* ---- choosing by keys: how many, any key is one more */

static bool is_legal(const struct game_room *room, int count)
{
    char move[24];
    assert(room->legal); /* as the chooser's contract says */
    snprintf(move, sizeof move, "take-%d", count);
    return json_array_has(state_at(room->legal, "moves"), move);
}

static bool choose_open(struct game_view *view, const struct game_room *room, const char *move)
{
    view->chosen = move ? atoi(move + strlen("take-")) : 1;
    if (!is_legal(room, view->chosen))
        view->chosen = 0;
    return view->chosen > 0;
}

static void choose_close(struct game_view *view)
{
    view->chosen = 0;
}

static void choose_press(struct game_view *view, const struct game_room *room,
                         enum game_choose_key key)
{
    (void)key;
    view->chosen = is_legal(room, view->chosen + 1) ? view->chosen + 1 : 1;
}

/* Each stick is so many from the left, of which one is out of sight. */
static enum game_choose_point choose_point(struct game_view *view, const struct game_room *room,
                                           int x, int y, bool seen)
{
    (void)seen;
    assert(x >= 0 && y >= 0 && x < 54); /* of the picture alone */
    if (y != 0 || !is_legal(room, view->left + x + 1))
        return GAME_CHOOSE_NOTHING;
    const bool same = view->chosen == view->left + x + 1;
    view->chosen = view->left + x + 1;
    return same ? GAME_CHOOSE_SAME : GAME_CHOOSE_OTHER;
}

static bool choose_move(const struct game_view *view, const struct game_room *room,
                        struct game_move *move)
{
    (void)room;
    *move = (struct game_move){.confirm = false};
    if (view->chosen > 0)
        snprintf(move->text, sizeof move->text, "take-%d", view->chosen);
    return view->chosen > 0;
}

static const struct game_chooser chooser = {
    .keys = "any arrow is one more",
    .help = "Or choose with arrows.\n",
    .offer = "arrows choose",
    .turn = "t",
    .turn_back = "T",
    .open = choose_open,
    .close = choose_close,
    .press = choose_press,
    .point = choose_point,
    .move = choose_move,
};

/* ---- moves */

static enum game_input move_read(struct game_move *move, const char *line,
                                 const struct game_view *view, const struct game_room *room)
{
    (void)view;
    (void)room;
    *move = (struct game_move){.confirm = false};
    if (strncmp(line, "take ", 5) != 0)
        return GAME_INPUT_UNKNOWN;
    int count = atoi(line + 5);
    if (count < 1 || count > TAKE_MAX) {
        snprintf(move->problem, sizeof move->problem, "Take one to three.");
        return GAME_INPUT_WRONG;
    }
    snprintf(move->text, sizeof move->text, "take-%d", count);
    return GAME_INPUT_MOVE;
}

static void move_write(char *text, size_t size, const char *move, const char *begun,
                       const struct game_room *room)
{
    (void)begun;
    (void)room;
    snprintf(text, size, "take %s", move + strlen("take-"));
}

/* With more than ten sticks the server lists no moves. */
static void move_offer(const struct game_room *room, const char *begun, game_offer_fn *offer,
                       void *user)
{
    char line[32];
    snprintf(line, sizeof line, "take %d", state_number(room->legal, "most"));
    if (state_at(room->legal, "most") && strncmp(line, begun, strlen(begun)) == 0)
        offer(user, line);
}

static bool move_make(struct game_move *move, struct rng *rng, const struct game_room *room)
{
    (void)rng;
    *move = (struct game_move){.confirm = false};
    snprintf(move->text, sizeof move->text, "take-%d", state_number(room->legal, "most"));
    return state_at(room->legal, "most") != NULL;
}

/* Chooses the last move, so that tests can predict it. */
static const char *move_choose(struct rng *rng, const json_t *state, const char **moves,
                               size_t count)
{
    (void)rng;
    (void)state;
    return moves[count - 1];
}

/* ---- a computer player */

struct known {
    unsigned events;
};

static void hear(void *known, const json_t *push)
{
    (void)push;
    ((struct known *)known)->events++;
}

static bool ask(void *question, const void *known, const json_t *state, int seat)
{
    (void)seat;
    *(struct known *)question = *(const struct known *)known;
    return state_number(state, "table.sticks") > 0;
}

static size_t memory_bytes(unsigned level)
{
    (void)level;
    return 0;
}

static void wait_for_end(const atomic_bool *cancel)
{
    const struct timespec pause = {.tv_nsec = 100000000};
    do {
        (void)nanosleep(&pause, NULL);
    } while (!atomic_load(cancel));
}

/*
 * The weak one plans two moves. After three events the strong one thinks until that is of no use
 * any more, and still a while after it; after more events it takes three.
 */
static void think(const void *question, unsigned level, uint64_t seed, const atomic_bool *cancel,
                  void *memory, size_t bytes, struct game_plan *plan)
{
    const struct known *known = question;
    (void)seed;
    (void)memory;
    (void)bytes;
    if (level == 2 && known->events == 3) {
        printf("It thinks.\n");
        (void)fflush(stdout);
        wait_for_end(cancel);
    }
    plan->count = level == 1 ? 2 : 1;
    snprintf(plan->moves[0].text, sizeof plan->moves[0].text, level == 1 ? "take-1" : "take-3");
    snprintf(plan->moves[1].text, sizeof plan->moves[1].text, "take-2");
}

static const struct game_thinker thinker = {
    .known_size = sizeof(struct known),
    .hear = hear,
    .question_size = sizeof(struct known),
    .ask = ask,
    .memory_bytes = memory_bytes,
    .think = think,
};

/* ---- replaying */

static int option_number(const struct record *record, const char *name)
{
    const char *value = record_find(record->options, record->option_count, name);
    return value ? atoi(value) : 0;
}

static void sticks_replay_record(struct replay *replay, const struct record *record,
                                 struct deal_stream *stream)
{
    int sticks = option_number(record, "sticks");
    if (stream && deal_stream_below(stream, 1) != 0)
        replay_differs(replay, "no stream");
    for (size_t i = 0; i < record->line_count; i++) {
        replay->turn = (unsigned)i + 1;
        replay->turns++;
        int count = atoi(record->lines[i].text + strlen("take-"));
        if (count < 1 || count > TAKE_MAX || count > sticks)
            replay_differs(replay, "%d of %d cannot be taken", count, sticks);
        sticks -= count;
    }
}

static void sticks_replay_object(struct replay *replay, const json_t *object)
{
    if (state_number(object, "sticks") < 1)
        replay_differs(replay, "no sticks");
}

/* ---- commands */

static int run_perft(const struct invocation *invocation)
{
    printf("%s of %s\n", invocation->operands[0], invocation->game->name);
    return EXIT_OK;
}

/* Has the name of a tool of Taluva: each game has its own tools. */
static const struct command command_perft = {
    .name = "perft",
    .operands = "N",
    .summary = "Count lines of play",
    .details = "Says what it was asked.",
    .operands_min = 1,
    .operands_max = 1,
    .run = run_perft,
};

static const char *const levels[] = {"weak", "strong", NULL};

static const struct command *const commands[] = {&command_perft, NULL};

/* More than a screen of 24 rows has room for, and a line longer than a row. */
static const char rules[] = "Who takes the last stick wins.\n"
                            "One.\nTwo.\nThree.\nFour.\nFive.\nSix.\nSeven.\nEight.\n"
                            "Nine.\nTen.\nEleven.\nTwelve.\nThirteen.\nFourteen.\n"
                            "Sticks that lie there are nobody's, whoever looks at them "
                            "longingly, until they are taken.\n"
                            "That is all.\n";

static const struct game_page pages[] = {{"rules", rules}, {NULL, NULL}};

const struct game game_sticks = {
    .name = "sticks",
    .colours = colours,
    .levels = levels,
    .seats_max = SEATS,
    .rules_version = 2,
    .input_help = "Take: take 2\n",
    .commands = commands,
    .view_commands = view_commands,
    .pages = pages,
    .create_rows = create_rows,
    .create_size = sizeof(struct create),
    .create_options = create_options,
    .options_print = options_print,
    .title = title,
    .task = task,
    .prompt = prompt,
    .move_sentence = move_sentence,
    .undone = "puts them back",
    .event_sentence = event_sentence,
    .seat_line = seat_line,
    .seat_word = seat_word,
    .colour_style = colour_style,
    .draw_sides = draw_sides,
    .draw_result = draw_result,
    .draw_hand = draw_hand,
    .view_create = view_create,
    .view_destroy = view_destroy,
    .view_reset = view_reset,
    .view_event = view_event,
    .view_pan = view_pan,
    .view_follow = view_follow,
    .view_draw = view_draw,
    .view_draw_all = view_draw_all,
    .chooser = &chooser,
    .move_read = move_read,
    .move_write = move_write,
    .move_offer = move_offer,
    .move_choose = move_choose,
    .move_make = move_make,
    .thinker = &thinker,
    .replay_record = sticks_replay_record,
    .replay_object = sticks_replay_object,
};
