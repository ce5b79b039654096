/*
 * What the table knows of its room, and what it says to the person.
 */
#include "table.h"
#include <cli/state.h>
#include <stdarg.h>
#include <string.h>

/* ---- what is known */

const struct wire_room *table_room(const struct table *table)
{
    return *table->room ? wire_client_room(table->online->client, table->room) : NULL;
}

const json_t *table_state(const struct table *table)
{
    const struct wire_room *room = table_room(table);
    return room ? room->state : NULL;
}

int table_seat(const struct table *table)
{
    const struct wire_room *room = table_room(table);
    return room && !table->plan->watch ? room->seat : WIRE_NO_SEAT;
}

bool table_is_ours(const struct table *table)
{
    const json_t *state = table_state(table);
    int seat = table_seat(table);
    return seat != WIRE_NO_SEAT && state_is(state, "playing") && state_acts(state, seat);
}

const json_t *table_legal(const struct table *table)
{
    const struct wire_room *room = table_room(table);
    return room && table_is_ours(table) && table->legal_seq == room->seq ? table->legal : NULL;
}

struct game_room table_game_room(const struct table *table)
{
    return (struct game_room){
        .state = table_state(table),
        .legal = table_legal(table),
        .seat = table_seat(table),
    };
}

/* ---- what is being chosen */

bool table_may_choose(const struct table *table)
{
    return table->game->chooser && table->prompt && table_is_ours(table) && !table->has_curtain;
}

bool table_choice(const struct table *table, struct game_move *move)
{
    const struct game_room room = table_game_room(table);
    *move = (struct game_move){.text = ""};
    return table->choosing && room.legal && table->game->chooser->move(table->view, &room, move);
}

/* ---- who sits there */

const char *table_person_name(const struct table *table)
{
    const struct hotseat *people = table->online ? table->online->hotseat : NULL;
    return people && hotseat_count(people) > 1 ? hotseat_name(people, table->person) : NULL;
}

int table_find_seat(const struct table *table, const char *word, size_t len)
{
    if (len != 1)
        return WIRE_NO_SEAT;
    int seat = *word >= '0' && *word <= '9'   ? *word - '0'
               : *word >= 'A' && *word <= 'Z' ? *word - 'A'
               : *word >= 'a' && *word <= 'z' ? *word - 'a'
                                              : WIRE_NO_SEAT;
    return seat < table->game->seats_max ? seat : WIRE_NO_SEAT;
}

/* ---- saying */

void table_say(struct table *table, const char *format, ...)
{
    char line[SCREEN_LINE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    screen_say(&table->screen, line);
}

void table_say_lines(struct table *table, const char *text)
{
    while (*text) {
        size_t len = strcspn(text, "\n");
        table_say(table, "%.*s", (int)len, text);
        text += len + (text[len] == '\n');
    }
}
