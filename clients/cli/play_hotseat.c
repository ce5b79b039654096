/*
 * Several people at this table, who share the keyboard: whose turn it is gets it. In a game with
 * secrets the picture is taken away first, until the next one says to be there.
 */
#include "event_text.h"
#include "table.h"
#include <cli/state.h>
#include <stdlib.h>
#include <string.h>

/* What was said to a person who was not at the keyboard: the latest lines. */
enum { NEWS_LINES = 12 };
struct table_news {
    unsigned count;
    char lines[NEWS_LINES][SCREEN_LINE_MAX];
};

static struct hotseat *people_of(const struct table *table)
{
    return table->online->hotseat;
}

static const struct wire_room *room_of(const struct table *table, int person)
{
    return wire_client_room(hotseat_client(people_of(table), person), table->room);
}

/* ---- what the others missed */

static void note_event(struct table *table, int person, const struct wire_room *room,
                       const json_t *push)
{
    char line[SCREEN_LINE_MAX];
    if (!table->news && !state_is(room->state, "lobby"))
        table->news = calloc(HOTSEAT_MAX, sizeof *table->news);
    if (!table->news)
        return;
    event_text(line, sizeof line, table->game, room->state, json_object_get(push, "event"));
    struct table_news *news = &table->news[person];
    if (*line)
        memcpy(news->lines[news->count++ % NEWS_LINES], line, sizeof line);
}

static void tell_news(struct table *table, int person)
{
    struct table_news *news = table->news ? &table->news[person] : NULL;
    if (!news)
        return;
    unsigned from = news->count > NEWS_LINES ? news->count - NEWS_LINES : 0;
    for (; from < news->count; from++)
        table_say(table, "%s", news->lines[from % NEWS_LINES]);
    news->count = 0;
}

/* ---- handing over */

/* All have been told of the same events. */
static bool all_are_told(const struct table *table)
{
    const int64_t seq = table_room(table) ? table_room(table)->seq : -1;
    for (int i = 0; i < hotseat_count(people_of(table)); i++) {
        const struct wire_room *room = room_of(table, i);
        if (!room || room->seq != seq || room->resyncing)
            return false;
    }
    return true;
}

static bool person_acts(const struct table *table, int person)
{
    const struct wire_room *room = room_of(table, person);
    return room->seat != WIRE_NO_SEAT && state_is(room->state, "playing") &&
           state_acts(room->state, room->seat);
}

/* Whoever acts: the one who sits there first, then in the order of their seats. */
static int next_person(const struct table *table)
{
    const int count = hotseat_count(people_of(table));
    for (int i = 0; i < count; i++) {
        const int person = (table->person + i) % count;
        if (person_acts(table, person))
            return person;
    }
    return table->person;
}

/* What belongs to the one who sat there. */
static void forget_person(struct table *table)
{
    json_decref(table->legal);
    table->legal = NULL;
    table->legal_seq = -1;
    table->listed = 0;
    table->filter[0] = '\0';
    table->to_confirm[0] = '\0';
    table->chosen[0] = '\0';
    if (table->choosing)
        table->game->chooser->close(table->view);
    table->choosing = false;
    free(table->page);
    table->page = NULL;
}

static void sit_down(struct table *table)
{
    table->has_curtain = false;
    hotseat_sit(people_of(table), table->person);
}

static void raise_curtain(struct table *table)
{
    table->has_curtain = true;
    hotseat_sit(people_of(table), HOTSEAT_NOBODY);
    screen_forget(&table->screen);
    table->game->view_reset(table->view);
}

static void hand_over(struct table *table, int person)
{
    forget_person(table);
    table->person = person;
    table->online->client = hotseat_client(people_of(table), person);
    if (table->game->has_secrets && table->screen.terminal.is_terminal) {
        raise_curtain(table);
        return;
    }
    tell_news(table, person);
    table_say(table, "%s, it is your turn.", hotseat_name(people_of(table), person));
    sit_down(table);
}

bool table_lift_curtain(struct table *table)
{
    if (!table->has_curtain)
        return false;
    tell_news(table, table->person);
    sit_down(table);
    return true;
}

bool table_told(struct table *table, int person, const struct wire_room *room, const json_t *push)
{
    if (strcmp(room->id, table->room) != 0 || hotseat_count(people_of(table)) == 1)
        return false;
    if (table->game->has_secrets && person != hotseat_at(people_of(table)))
        note_event(table, person, room, push);
    if (!all_are_told(table))
        return false;
    const int next = next_person(table);
    if (next != table->person)
        hand_over(table, next);
    else if (!table->has_curtain || person_acts(table, next))
        return false;
    else
        table_lift_curtain(table); /* the match is over, say */
    return true;
}
