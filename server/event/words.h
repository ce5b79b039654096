/* What the members of enums are called in a log. */
#ifndef EVENT_WORDS_H
#define EVENT_WORDS_H

enum { EVENT_KINDS = 15, EVENT_FORMS = 5, EVENT_POINTS = 2 };

extern const char *const event_kind_words[EVENT_KINDS];
extern const char *const event_form_words[EVENT_FORMS];
extern const char *const event_points_words[EVENT_POINTS];

/* Which of them it is, or `count`. */
unsigned event_find_word(const char *const words[], unsigned count, const char *word);

#endif
