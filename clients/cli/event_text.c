#include "event_text.h"

#include <cli/state.h>
#include <stdlib.h>
#include <string.h>

/*
 * The player of a seat behind its letter, as several may have the same name; who has left it is
 * named in the event.
 */
static const char *name_of(char text[STATE_LABEL], const json_t *state, int seat,
                           const json_t *event)
{
    const char *sent = state_text(event, "name");
    const char *name = state_text(state_seat(state, seat), "name");
    snprintf(text, STATE_LABEL, "%c %s", state_seat_letter(seat),
             *name   ? name
             : *sent ? sent
                     : "(somebody)");
    return text;
}

static void started_sentence(char *text, size_t size, const json_t *state)
{
    char who[STATE_LABEL];
    if (json_array_size(state_at(state, "acting")) == 1)
        snprintf(text, size, "The match begins; %s is first.",
                 name_of(who, state, state_first_acting(state), NULL));
    else
        snprintf(text, size, "The match begins.");
}

/* Kinds that are one sentence about their seat; %s is its player. */
static const struct {
    const char *kind, *sentence;
} sentences[] = {
    {"sat", "%s sits down."},
    {"stood", "%s gets up."},
    {"resigned", "%s resigns."},
    {"timed_out", "%s has run out of time."},
    {"timed_out_away", "%s was away for too long, and is out."},
    {"replaced", "%s is away: the computer plays for now."},
    {"returned", "%s is back."},
    {"hinted", "%s takes a hint."},
    {"paused", "The match is paused."},
    {"resumed", "The match goes on."},
    {"called_off", "The match is called off."},
};

/* Where no clock runs, whoever is timed out was away: the others have claimed the end. */
static const char *kind_of(const json_t *state, const json_t *event)
{
    const char *kind = state_text(event, "kind");
    const bool clockless = strcmp(state_text(state, "clock.kind"), "none") == 0;
    return clockless && strcmp(kind, "timed_out") == 0 ? "timed_out_away" : kind;
}

static void kind_sentence(char *text, size_t size, const char *kind, const char *who)
{
    for (size_t i = 0; i < sizeof sentences / sizeof sentences[0]; i++) {
        const char *hole = strstr(sentences[i].sentence, "%s");
        if (strcmp(sentences[i].kind, kind) != 0)
            continue;
        snprintf(text, size, "%s%s", hole ? who : "", hole ? hole + 2 : sentences[i].sentence);
        return;
    }
}

/* Another sentence behind those that are there. */
static void add_sentence(char *text, size_t size, const char *sentence)
{
    size_t len = strlen(text);
    if (*sentence && len < size)
        snprintf(text + len, size - len, "%s%s", len ? " " : "", sentence);
}

/* Of a match that was to be rated; "": it is. How it has ended was said before. */
static const char *unrated_sentence(const json_t *state)
{
    const char *why = state_text(state, "result.unrated");
    if (strcmp(why, "aborted") == 0)
        return "It is not rated: somebody gave up before all had ended two turns.";
    return *why ? "So it is not rated." : "";
}

void event_text(char *text, size_t size, const struct game *game, const json_t *state,
                const json_t *event)
{
    char more[512] = "";
    const char *kind = state_text(event, "kind"), *over = state_text(event, "over");
    char who[STATE_LABEL];
    name_of(who, state, state_number(event, "seat"), event);
    *text = '\0';
    if (strcmp(kind, "move") == 0)
        game->move_sentence(text, size, who, event);
    else if (strcmp(kind, "readied") == 0)
        snprintf(text, size, "%s is %sready.", who,
                 json_is_true(state_at(event, "ready")) ? "" : "not ");
    else if (strcmp(kind, "started") == 0)
        started_sentence(text, size, state);
    else if (strcmp(kind, "offered") == 0 || strcmp(kind, "withdrew") == 0)
        snprintf(text, size, "%s %s: %s.", who,
                 strcmp(kind, "offered") == 0 ? "offers" : "withdraws", state_text(event, "what"));
    else if (strcmp(kind, "rematched") == 0)
        snprintf(text, size, "A rematch in room %s.", state_text(event, "to"));
    else if (strcmp(kind, "undone") == 0)
        snprintf(text, size, "%s %s.", who, game->undone);
    else
        kind_sentence(text, size, kind_of(state, event), who);
    if (game->event_sentence && strcmp(kind, "move") != 0)
        game->event_sentence(more, sizeof more, event);
    add_sentence(text, size, more);
    if (*over)
        snprintf(more, sizeof more, "The match is over: %s.", game_end_words(game, over));
    add_sentence(text, size, *over ? more : "");
    add_sentence(text, size, *over ? unrated_sentence(state) : "");
}

/* A team by its seats; players by letters and names. */
void winners_text(char *text, size_t size, const json_t *state)
{
    json_t *winners = state_at(state, "result.winners"), *value;
    const bool teams = json_is_true(state_at(state, "options.teams"));
    const char *side;
    char who[STATE_LABEL];
    size_t len = 0;
    *text = '\0';
    json_object_foreach(winners, side, value)
    {
        const int number = state_seat_of_key(side);
        if (teams)
            snprintf(who, sizeof who, "Team %s", number == 0 ? "A and C" : "B and D");
        else
            name_of(who, state, number, NULL);
        if (len < size)
            len += (size_t)snprintf(text + len, size - len, "%s%s", len > 0 ? " and " : "", who);
    }
    if (len > 0 && len < size)
        snprintf(text + len, size - len, "%s", json_object_size(winners) == 1 ? " wins." : " win.");
}

static void presence_sentence(char *text, size_t size, const json_t *state, const json_t *push)
{
    const char *seat;
    json_t *here;
    size_t len = 0;
    char who[STATE_LABEL];
    json_object_foreach(state_at(push, "online"), seat, here)
    {
        if (len < size)
            len += (size_t)snprintf(text + len, size - len, "%s%s is %s.", len ? " " : "",
                                    name_of(who, state, state_seat_of_key(seat), NULL),
                                    json_is_true(here) ? "here" : "away");
    }
}

/* Watchers talk as well, without a letter, and are called so: their names are not looked at. */
static void said_sentence(char *text, size_t size, const json_t *push)
{
    const json_t *seat = state_at(push, "seat");
    char letter[3] = {state_seat_letter((int)json_integer_value(seat)), ' ', '\0'};
    snprintf(text, size, "%s%s%s says: %s", json_is_integer(seat) ? letter : "",
             state_text(push, "name"), json_is_integer(seat) ? "" : " (watching)",
             state_text(push, "text"));
}

void push_text(char *text, size_t size, const json_t *state, const json_t *push)
{
    const char *kind = state_text(push, "push");
    *text = '\0';
    if (strcmp(kind, "said") == 0)
        said_sentence(text, size, push);
    else if (strcmp(kind, "notice") == 0)
        snprintf(text, size, "The server: %s", state_text(push, "message"));
    else if (strcmp(kind, "presence") == 0)
        presence_sentence(text, size, state, push);
}
