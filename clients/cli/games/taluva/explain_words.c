#include "explain_words.h"

#include <rules/notation.h>
#include <string.h>

static void add_build(const struct explain_fact *fact, struct text *out)
{
    char build[TALUVA_BUILD_TEXT];
    taluva_build_format(&fact->build, build);
    text_add(out, "%s%s", fact->what == EXPLAIN_WIN ? "by " : "", build);
}

static void add_done(const struct explain_fact *fact, unsigned seat,
                     const struct explain_names *names, struct text *out)
{
    static const char *const kinds[TALUVA_KINDS] = {"hut", "tower", "temple", "boat"};
    const bool own = fact->seat == seat;
    if (fact->what == EXPLAIN_LAST) {
        text_add(out, "builds the last %s", kinds[fact->n]);
    } else if (fact->what == EXPLAIN_HUTS) {
        text_add(out, "covers %u hut%s of ", fact->n, fact->n == 1 ? "" : "s");
        if (own)
            text_add(out, "its own");
        else
            names->add(out, fact->seat, names->user);
    } else if (fact->what == EXPLAIN_OUT) {
        text_add(out, "puts its own player out");
    } else {
        text_add(out, "wins");
    }
}

/* "lets ", the name, " win ", the build. */
static void add_of_rival(const char *before, const char *behind, const struct explain_fact *fact,
                         const struct explain_names *names, struct text *out)
{
    text_add(out, "%s", before);
    names->add(out, fact->seat, names->user);
    text_add(out, "%s", behind);
    add_build(fact, out);
}

static void add_fact(const struct explain_fact *fact, unsigned seat,
                     const struct explain_names *names, struct text *out)
{
    const bool wins = fact->what == EXPLAIN_WIN;
    switch ((enum explain_verb)fact->verb) {
    case EXPLAIN_DOES:
        add_done(fact, seat, names, out);
        break;
    case EXPLAIN_THREATENS:
        text_add(out, "threatens %s", wins ? "to win " : "");
        add_build(fact, out);
        break;
    case EXPLAIN_PREVENTS:
        add_of_rival("keeps ", wins ? " from winning " : " from ", fact, names, out);
        break;
    case EXPLAIN_ALLOWS:
        add_of_rival("lets ", wins ? " win " : " build ", fact, names, out);
        break;
    case EXPLAIN_LEAVES:
        add_of_rival("does not keep ", " from winning ", fact, names, out);
        break;
    }
}

void explain_words(const struct explain *explain, unsigned seat, const struct explain_names *names,
                   struct text *out)
{
    for (unsigned i = 0; i < explain->n && i < EXPLAIN_WORDS; i++) {
        if (i > 0)
            text_add(out, "; ");
        add_fact(&explain->facts[i], seat, names, out);
    }
}

void explain_add_recorded(struct text *out, unsigned seat, const void *record)
{
    const struct record *const from = record;
    if (seat < from->seat_count && from->seats[seat].name)
        text_add(out, "%s", from->seats[seat].name);
    else
        text_add(out, "seat %u", seat);
}

static bool is_word(const char *text, size_t len, const char *word)
{
    return len == strlen(word) && memcmp(text, word, len) == 0;
}

bool explain_written(const struct taluva *before, const char *turn, struct explain *out)
{
    struct taluva_placement placement;
    struct taluva_build build;
    bool places = false, builds = false;
    for (const char *word = turn; *word;) {
        const size_t len = strcspn(word, " ");
        if (!places && !builds && taluva_placement_parse(word, len, &placement, NULL))
            places = true;
        else if (!builds && taluva_build_parse(word, len, &build, NULL))
            builds = true;
        else if (!is_word(word, len, "draw") && !is_word(word, len, "none"))
            return false;
        word += len + (word[len] == ' ');
    }
    return (places || builds) &&
           explain_turn(before, places ? &placement : NULL, builds ? &build : NULL, out);
}
