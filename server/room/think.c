/* What a computer player is asked, so that another thread can answer, and its answer. */
#include <room/think.h>

#include "room_internal.h"
#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* ---- who moves next */

uint8_t room_computer_next(const struct room *room)
{
    const struct match *match = room->match;
    const uint32_t computers = match_computers(&room->setup, match);
    if (computers == 0)
        return ROOM_NO_SEAT;
    uint32_t acting = match_acting(&room->setup, match) & computers;
    uint8_t first = ROOM_NO_SEAT;
    for (unsigned i = 0; room->durable && acting >> i; i++) {
        if (!((acting >> i) & 1))
            continue;
        if (!match->seats[i].bot)
            return (uint8_t)i;
        if (first == ROOM_NO_SEAT)
            first = (uint8_t)i;
    }
    return first;
}

uint64_t room_choice_seed(const struct room *room)
{
    unsigned char message[DEAL_SECRET_BYTES + 8], hash[crypto_generichash_BYTES];
    memcpy(message, room->setup.seed.secret, DEAL_SECRET_BYTES);
    for (unsigned i = 0; i < 8; i++)
        message[DEAL_SECRET_BYTES + i] = (unsigned char)(room->match->seq >> (8 * i));
    crypto_generichash(hash, sizeof hash, message, sizeof message, NULL, 0);
    uint64_t seed = 0;
    for (unsigned i = 0; i < 8; i++)
        seed = seed << 8 | hash[i];
    return seed;
}

/* ---- what was thought of */

static bool is_of_now(const struct room *room)
{
    return room->thought.asked && room->thought.changes == room->changes;
}

int64_t room_thought_until_ms(const struct room *room)
{
    return is_of_now(room) && !room->thought.moves ? room->thought.until_ms : INT64_MIN;
}

size_t room_thought_move(const struct room *room, uint8_t seat, char *move)
{
    const struct thought *thought = &room->thought;
    if (!is_of_now(room) || !thought->moves || thought->seat != seat)
        return 0;
    memcpy(move, thought->moves, thought->len[0]);
    return thought->len[0];
}

void room_thought_release(struct room *room)
{
    free(room->thought.moves);
    room->thought = (struct thought){.asked = false};
}

/* Was it of the position before the event, with another move after the one that was just played? */
static bool goes_on(const struct room *room, const struct room_event *event)
{
    const struct thought *thought = &room->thought;
    return thought->asked && thought->changes + 1 == room->changes && thought->moves &&
           thought->len[1] > 0 && event->kind == ROOM_MOVE && event->seat == thought->seat &&
           event->text_len == thought->len[0] &&
           memcmp(event->text, thought->moves, event->text_len) == 0;
}

void room_thought_follow(struct room *room, const struct room_event *event)
{
    struct thought *thought = &room->thought;
    if (!goes_on(room, event))
        return; /* it is of an earlier position now, and means nothing */
    memmove(thought->moves, thought->moves + thought->len[0], thought->len[1]);
    thought->len[0] = thought->len[1];
    thought->len[1] = 0;
    thought->changes = room->changes;
}

/* ---- the question */

bool room_has_people(const struct room *room)
{
    return match_people(&room->setup, room->match) != 0;
}

/* The level of the seat whose choice is worth a question; 0: there is none. */
static unsigned level_to_ask(const struct room *room, uint8_t *seat)
{
    *seat = room_computer_next(room);
    if (*seat == ROOM_NO_SEAT || !room->match->seats[*seat].bot)
        return 0;
    unsigned level = room->match->seats[*seat].level;
    return game_thinking_bytes(room->setup.game, level) > 0 ? level : 0;
}

bool room_thinks(const struct room *room)
{
    uint8_t seat;
    return !is_of_now(room) && level_to_ask(room, &seat) > 0;
}

void room_think_until(struct room *room, int64_t until_ms)
{
    uint8_t seat;
    unsigned level = level_to_ask(room, &seat);
    assert(level > 0);
    room_thought_release(room);
    room->thought = (struct thought){
        .asked = true, .changes = room->changes, .until_ms = until_ms, .seat = seat};
}

struct room_question *room_ask(const struct room *room)
{
    const struct game_type *game = room->setup.game;
    uint8_t seat;
    unsigned level = level_to_ask(room, &seat);
    assert(level > 0);
    struct room_question *question = malloc(sizeof *question + game->size);
    if (!question)
        return NULL;
    *question = (struct room_question){
        .game = game,
        .changes = room->changes,
        .seed = room_choice_seed(room),
        .memory_bytes = game_thinking_bytes(game, level),
        .seat = seat,
        .level = (uint8_t)level,
    };
    game->computer->know(match_game_of(room->match), seat, question->known);
    return question;
}

size_t room_question_answer(const struct room_question *question, struct game_thinking *thinking,
                            char move[PROTOCOL_MOVE_BYTES])
{
    const struct game_type *game = question->game;
    assert(thinking->memory_bytes >= question->memory_bytes);
    size_t len = game->computer->choose(question->known, question->seat, question->level,
                                        question->seed, thinking, move);
    assert(len <= game->move_bytes && thinking->next_len <= game->move_bytes);
    return len;
}

bool room_answered(struct room *room, const struct room_question *question,
                   const struct game_thinking *thinking, const char *move, size_t len)
{
    struct thought *thought = &room->thought;
    if (!is_of_now(room) || thought->moves || question->changes != room->changes)
        return false;
    assert(len > 0 && question->seat == thought->seat);
    thought->until_ms = INT64_MIN;
    thought->moves = malloc(len + thinking->next_len);
    if (!thought->moves)
        return true;
    memcpy(thought->moves, move, len);
    memcpy(thought->moves + len, thinking->next, thinking->next_len);
    thought->len[0] = (uint16_t)len;
    thought->len[1] = (uint16_t)thinking->next_len;
    return true;
}
