#include "oracle_rules.h"

#include "marks.h"
#include "taluva_reference.h"
#include "totem_reference.h"
#include <assert.h>
#include <room_internal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <totem_match.h>

/* ---- Taluva */

/* The server's list of moves for the seat in turn, as reference_moves has it. */
static json_t *listed_moves(const struct room *room, unsigned seat)
{
    struct buffer buffer;
    struct writer writer;
    buffer_init(&buffer, 0, 1 << 20);
    writer_init(&writer, &buffer);
    writer_object(&writer);
    room->setup.game->views->moves(match_game_of(room->match), seat, &writer);
    writer_end(&writer);
    assert(!buffer.failed);
    json_t *answer = json_loadb(buffer_payload(&buffer), buffer.len, JSON_REJECT_DUPLICATES, NULL);
    json_t *moves = json_object();
    const json_t *move;
    size_t i;
    json_array_foreach(json_object_get(answer, "moves"), i, move)
        json_object_set_new(moves, json_string_value(move), json_true());
    json_decref(answer);
    buffer_release(&buffer);
    return moves;
}

static bool same_moves(const struct truth *truth, const json_t *turn)
{
    if (!turn)
        return true;
    unsigned seat = (unsigned)json_integer_value(json_object_get(turn, "seat"));
    json_t *listed = listed_moves(truth->room, seat), *legal = reference_moves(truth->reference);
    bool same = json_equal(listed, legal);
    json_decref(listed);
    json_decref(legal);
    return same;
}

/*
 * Another move than `listed`, near to it: its kind and piece, with one of its numbers (`which`)
 * changed by `by`. Empty if it has no such number.
 */
static void move_near(char text[PROTOCOL_MOVE_BYTES], const char *listed, unsigned which, int by)
{
    const char *at = strchr(listed, '@');
    for (; at && which > 0; which--)
        at = strpbrk(at + 1, ",:");
    text[0] = '\0';
    if (!at)
        return;
    char *end;
    long number = strtol(at + 1, &end, 10);
    if (end > at + 1)
        (void)snprintf(text, PROTOCOL_MOVE_BYTES, "%.*s%ld%s", (int)(at + 1 - listed), listed,
                       number + by, end);
}

static bool server_allows(const struct room *room, unsigned seat, const char *text)
{
    const struct game_type *game = room->setup.game;
    union {
        max_align_t align;
        char bytes[GAME_VALUE_MAX];
    } copy;
    struct game_change change;
    struct refusal refusal;
    memcpy(&copy, match_game_of(room->match), game->size);
    return game->rules->act(&copy, seat, text, strlen(text), true, &change, &refusal);
}

/* NULL, or a move that the server would take, and does not list; what it does list is tried too. */
static const char *unlisted_move(const struct truth *truth, const json_t *turn)
{
    static char text[PROTOCOL_MOVE_BYTES];
    if (!turn)
        return NULL;
    unsigned seat = (unsigned)json_integer_value(json_object_get(turn, "seat")), n = 0;
    json_t *legal = reference_moves(truth->reference);
    const char *listed, *found = NULL;
    json_t *unused;
    json_object_foreach(legal, listed, unused)
    {
        /* Each move is looked at again and again in a world: a part of them each time will do. */
        if (found || (truth->count + n++) % 8 != 0)
            continue;
        for (unsigned which = 0; which < 3 && !found; which++) {
            for (int by = -1; by <= 1 && !found; by += 2) {
                move_near(text, listed, which, by);
                if (text[0] && !json_object_get(legal, text) &&
                    server_allows(truth->room, seat, text))
                    found = text;
            }
        }
    }
    json_decref(legal);
    return found;
}

static bool same_table(const struct truth *truth, const json_t *table)
{
    json_t *own = reference_table(truth->reference);
    bool same = json_equal(own, table);
    json_decref(own);
    return same;
}

/* What all agreed on, or the room decided, is not for the rules to say. Takes over `own`. */
/* Whether it is rated is no rule of the game (oracle_check_rated). */
static bool is_result(json_t *own, const json_t *result)
{
    if (own && json_object_get(result, "unrated"))
        json_object_set(own, "unrated", json_object_get(result, "unrated"));
    return own == result || json_equal(own, result);
}

static bool same_result(const struct truth *truth, json_t *own)
{
    const json_t *result = json_object_get(truth->state, "result");
    const char *why = json_string_value(json_object_get(result, "why"));
    bool called_off = why && (strcmp(why, "called-off") == 0 || strcmp(why, "abandoned") == 0 ||
                              strcmp(why, "closed") == 0);
    bool same = called_off ? !own : is_result(own, result);
    json_decref(own);
    return same;
}

static void copy_text(const struct room_event *event, char text[ROOM_EVENT_TEXT_MAX + 1])
{
    memcpy(text, event->text, event->text_len);
    text[event->text_len] = 0;
}

static bool is_allowed(struct reference *reference, const struct room_event *event)
{
    char text[ROOM_EVENT_TEXT_MAX + 1];
    switch ((int)event->kind) {
    case ROOM_MOVE:
        copy_text(event, text);
        return reference_move(reference, event->seat, text);
    case ROOM_UNDONE:
        return reference_undo(reference, event->seat);
    case ROOM_RESIGNED:
    case ROOM_TIMED_OUT:
        return reference_forfeit(reference, event->seat);
    default:
        return true; /* nothing happens on the table */
    }
}

/* NULL: the event and what the server says after it are as the rules have it. */
static const char *broken_taluva(struct truth *truth, const struct room_event *event)
{
    const json_t *table = json_object_get(truth->state, "table");
    if (!truth->reference)
        truth->reference = reference_create(truth->state);
    else if (!is_allowed(truth->reference, event))
        return "is not allowed";
    if (!reference_drawn(truth->reference, truth->state))
        return "draws no tile";
    if (!same_table(truth, table))
        return "leaves another table";
    if (!same_moves(truth, json_object_get(table, "turn")))
        return "leaves other legal moves";
    if (unlisted_move(truth, json_object_get(table, "turn")))
        return "leaves a move that is taken and not listed";
    return same_result(truth, reference_result(truth->reference)) ? NULL : "leaves another result";
}

/* ---- Totem */

static bool is_allowed_in_totem(struct totem_reference *reference, const struct room_event *event)
{
    char text[ROOM_EVENT_TEXT_MAX + 1];
    switch ((int)event->kind) {
    case ROOM_MOVE:
        copy_text(event, text);
        return totem_reference_move(reference, event->seat, text);
    case ROOM_UNDONE:
        return totem_reference_undo(reference, event->seat);
    case ROOM_RESIGNED:
    case ROOM_TIMED_OUT:
        return totem_reference_forfeit(reference, event->seat);
    default:
        return true; /* nothing happens on the table */
    }
}

/* As the audience sees it. */
static bool same_totem_table(const struct truth *truth, unsigned audience)
{
    json_t *state = oracle_state(truth->room, audience);
    json_t *own = totem_reference_table(truth->totem, audience);
    bool same = json_equal(own, json_object_get(state, "table"));
    json_decref(own);
    json_decref(state);
    return same;
}

static void note_totem(const struct truth *truth, const struct room_event *event)
{
    const json_t *table = json_object_get(truth->state, "table");
    const char *step = json_string_value(json_object_get(table, "step"));
    if (strcmp(step, "take") == 0)
        mark(MARK_PEOPLE_TAKEN);
    if (strcmp(step, "over") == 0 && event->kind == ROOM_MOVE)
        mark(MARK_TOTEM_OVER);
    if (event->kind == ROOM_UNDONE)
        mark(MARK_NOTE_UNDONE);
    if (event->kind == ROOM_RESIGNED || event->kind == ROOM_TIMED_OUT)
        mark(MARK_FAMILY_LEFT);
}

/* One audience at a time, beside the first: each has its turn. */
static const char *broken_totem(struct truth *truth, const struct room_event *event)
{
    unsigned audience = (unsigned)(truth->count % room_audiences(truth->room));
    const struct totem_match *match = match_game_of(truth->room->match);
    if (!truth->totem)
        truth->totem = totem_reference_create(truth->state, match->key);
    else if (!is_allowed_in_totem(truth->totem, event))
        return "is not allowed";
    note_totem(truth, event);
    if (!same_totem_table(truth, audience))
        return "leaves another table";
    return same_result(truth, totem_reference_result(truth->totem)) ? NULL
                                                                    : "leaves another result";
}

/* ---- either */

const char *oracle_broken_rule(struct truth *truth, const struct room_event *event)
{
    const char *game = json_string_value(json_object_get(truth->state, "game"));
    if (!json_object_get(truth->state, "table"))
        return NULL;
    if (strcmp(game, "taluva") == 0)
        return broken_taluva(truth, event);
    return strcmp(game, "totem") == 0 ? broken_totem(truth, event) : NULL;
}
