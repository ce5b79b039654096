#include "judged.h"

#include "when.h"
#include <cli/state.h>
#include <stdio.h>
#include <string.h>

enum {
    TEXT_PIECE = 400, /* bytes of a line, which has fewer than SCREEN_LINE_MAX */
    LINE = 512,
};

struct word {
    const char *word, *words;
};

static const struct word verdicts[] = {
    {"warn", "ask you to change this"},
    {"silence", "have decided that you may not say anything at tables"},
    {"ban", "have decided that you may not enter"},
    {"dismiss", "have taken back what they had decided"},
    {NULL, "have decided something that this program does not know"},
};

static const struct word whys[] = {
    {"talk", "what you say"}, {"name", "your name"},       {"cheating", "cheating"},
    {"stalling", "stalling"}, {"other", "something else"}, {NULL, "something else"},
};

/* Of what a later server says the last row speaks. */
static const char *words_of(const struct word *rows, const char *word)
{
    while (rows->word && strcmp(rows->word, word) != 0)
        rows++;
    return rows->words;
}

/* " until 2026-11-20 18:00", or nothing of what does not last. */
static void write_until(char *text, size_t size, const json_t *judgement)
{
    const json_t *until = json_object_get(judgement, "until");
    char at[WHEN_MINUTE];
    *text = '\0';
    if (!json_is_integer(until))
        return;
    when_minute(at, json_integer_value(until));
    (void)snprintf(text, size, " until %s", at);
}

/* Of so many bytes at most, with no character cut in two. */
static size_t piece_of(const char *text)
{
    size_t len = strlen(text);
    if (len <= TEXT_PIECE)
        return len;
    for (len = TEXT_PIECE; len > 1 && (text[len] & 0xc0) == 0x80; len--)
        ;
    return len;
}

/* Not twice, and not against what has answered an appeal. */
static bool may_appeal(const json_t *judgement)
{
    return json_is_integer(json_object_get(judgement, "judgement")) &&
           !json_object_get(judgement, "appealed") && !json_object_get(judgement, "appeal");
}

static void say_judgement(const struct judged_reader *reader, const json_t *judgement)
{
    char until[WHEN_MINUTE + sizeof " until "], line[LINE];
    write_until(until, sizeof until, judgement);
    (void)snprintf(line, sizeof line, "Those who look after this server %s%s: %s.",
                   words_of(verdicts, state_text(judgement, "verdict")), until,
                   words_of(whys, state_text(judgement, "why")));
    reader->say(reader->ctx, line);
    for (const char *text = state_text(judgement, "text"); *text;) {
        const size_t len = piece_of(text);
        (void)snprintf(line, sizeof line, "They say: %.*s", (int)len, text);
        reader->say(reader->ctx, line);
        text += len;
    }
    if (may_appeal(judgement)) {
        (void)snprintf(line, sizeof line,
                       "If that is wrong, say why, once: taluva appeal %" JSON_INTEGER_FORMAT
                       " TEXT",
                       json_integer_value(json_object_get(judgement, "judgement")));
        reader->say(reader->ctx, line);
    }
}

bool judged_hear(const struct judged_reader *reader, const json_t *push)
{
    if (strcmp(state_text(push, "push"), "judged") != 0)
        return false;
    say_judgement(reader, push);
    return true;
}

bool judged_greet(const struct judged_reader *reader, const json_t *hello)
{
    const json_t *judgement;
    size_t at, said = 0;
    json_array_foreach(json_object_get(hello, "judgements"), at, judgement)
    {
        if (json_is_true(json_object_get(judgement, "read")))
            continue;
        say_judgement(reader, judgement);
        said++;
    }
    return said > 0;
}
