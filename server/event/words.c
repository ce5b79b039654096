#include "words.h"

#include <event/entry.h>
#include <string.h>

const char *const event_kind_words[EVENT_KINDS] = {
    [EVENT_MADE] = "made",         [EVENT_JOINED] = "joined",     [EVENT_HERE] = "here",
    [EVENT_WITHDREW] = "withdrew", [EVENT_RETURNED] = "returned", [EVENT_REMOVED] = "removed",
    [EVENT_BEGAN] = "began",       [EVENT_PAIRED] = "paired",     [EVENT_RESULT] = "result",
    [EVENT_JUDGED] = "judged",     [EVENT_OVER] = "over",         [EVENT_OFF] = "off",
    [EVENT_AGREED] = "agreed",     [EVENT_PAUSED] = "paused",     [EVENT_RESUMED] = "resumed",
};
const char *const event_form_words[EVENT_FORMS] = {"tables", "robin", "cup", "swiss", "groups"};
const char *const event_points_words[EVENT_POINTS] = {"wins", "places"};

const char *event_form_name(enum event_form form)
{
    return event_form_words[form];
}

const char *event_points_name(enum event_points points)
{
    return event_points_words[points];
}

unsigned event_find_word(const char *const words[], unsigned count, const char *word)
{
    unsigned at = 0;
    while (at < count && strcmp(words[at], word) != 0)
        at++;
    return at;
}
