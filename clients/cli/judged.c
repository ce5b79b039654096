#include "judged.h"

#include "when.h"
#include <cli/state.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_PIECE = 400 }; /* bytes of a line, which has fewer than SCREEN_LINE_MAX */

struct word {
    const char *word, *words;
};

static const struct word verdicts[] = {
    {"warn", "ask you to change this"},
    {"silence", "have decided that you may not say anything at tables"},
    {"ban", "have decided that you may not enter"},
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

static void say_judgement(struct online *online, const json_t *judgement)
{
    char until[WHEN_MINUTE + sizeof " until "];
    write_until(until, sizeof until, judgement);
    online_say(online, "Those who look after this server %s%s: %s.",
               words_of(verdicts, state_text(judgement, "verdict")), until,
               words_of(whys, state_text(judgement, "why")));
    for (const char *text = state_text(judgement, "text"); *text;) {
        const size_t len = piece_of(text);
        online_say(online, "They say: %.*s", (int)len, text);
        text += len;
    }
}

static void say_heed(struct online *online)
{
    if (online->app->say)
        wire_client_request(online->client, request_make("heed", NULL, NULL, NULL), NULL, NULL);
}

void judged_hear(struct online *online, const json_t *push)
{
    if (online->invocation->online.json || strcmp(state_text(push, "push"), "judged") != 0)
        return;
    say_judgement(online, push);
    say_heed(online);
}

void judged_greet(struct online *online, const json_t *hello)
{
    const json_t *judgement;
    size_t at, said = 0;
    if (online->invocation->online.json)
        return;
    json_array_foreach(json_object_get(hello, "judgements"), at, judgement)
    {
        if (json_is_true(json_object_get(judgement, "read")))
            continue;
        say_judgement(online, judgement);
        said++;
    }
    if (said > 0)
        say_heed(online);
}
