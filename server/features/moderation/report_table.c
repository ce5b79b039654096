#include "report_table.h"

#include <stddef.h>
#include <string.h>

const struct store_table report_table = {
    .name = "report",
    .what = "a report of somebody",
    .number = 51,
    .size = sizeof(struct report_row),
    .owner = STORE_OF_DESK,
    .keys = 1,
    .count = 8,
    .columns = {{"id", STORE_NUMBER, STORE_MEMBER(struct report_row, id)},
                {"about", STORE_NUMBER, STORE_MEMBER(struct report_row, about)},
                {"reporter", STORE_NUMBER, STORE_MEMBER(struct report_row, by)},
                {"source", STORE_NUMBER, STORE_MEMBER(struct report_row, source)},
                {"why", STORE_NUMBER, STORE_MEMBER(struct report_row, why), .max = REPORT_WHYS - 1},
                {"judgement", STORE_NUMBER, STORE_MEMBER(struct report_row, judgement)},
                {"at_ms", STORE_NUMBER, STORE_MEMBER(struct report_row, at_ms)},
                {"snapshot", STORE_TEXT, STORE_MEMBER(struct report_row, text),
                 .len_at = offsetof(struct report_row, text_len), .max = REPORT_TEXT_MAX}},
};

const struct store_table judgement_table = {
    .name = "judgement",
    .what = "what was decided of reports",
    .number = 52,
    .size = sizeof(struct judgement_row),
    .owner = STORE_OF_DESK,
    .keys = 1,
    .count = 9,
    .columns = {{"id", STORE_NUMBER, STORE_MEMBER(struct judgement_row, id)},
                {"about", STORE_NUMBER, STORE_MEMBER(struct judgement_row, about)},
                {"verdict", STORE_NUMBER, STORE_MEMBER(struct judgement_row, verdict),
                 .max = VERDICTS - 1},
                {"why", STORE_NUMBER, STORE_MEMBER(struct judgement_row, why),
                 .max = REPORT_WHYS - 1},
                {"in_force", STORE_NUMBER, STORE_MEMBER(struct judgement_row, holds), .max = 1},
                {"at_ms", STORE_NUMBER, STORE_MEMBER(struct judgement_row, at_ms)},
                {"until_ms", STORE_NUMBER, STORE_MEMBER(struct judgement_row, until_ms)},
                {"judge", STORE_NUMBER, STORE_MEMBER(struct judgement_row, by)},
                {"words", STORE_LENT, STORE_MEMBER(struct judgement_row, text),
                 .max = PROTOCOL_SAY_BYTES}},
};

const struct store_table judged_table = {
    .name = "judged",
    .what = "what somebody was told of a judgement",
    .number = 53,
    .size = sizeof(struct judged_row),
    .owner = STORE_OF_SESSION,
    .keys = 2,
    .count = 8,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct judged_row, session)},
                {"id", STORE_NUMBER, STORE_MEMBER(struct judged_row, id)},
                {"verdict", STORE_NUMBER, STORE_MEMBER(struct judged_row, verdict),
                 .max = VERDICTS - 1},
                {"why", STORE_NUMBER, STORE_MEMBER(struct judged_row, why), .max = REPORT_WHYS - 1},
                {"heeded", STORE_NUMBER, STORE_MEMBER(struct judged_row, heeded), .max = 1},
                {"at_ms", STORE_NUMBER, STORE_MEMBER(struct judged_row, at_ms)},
                {"until_ms", STORE_NUMBER, STORE_MEMBER(struct judged_row, until_ms)},
                {"words", STORE_LENT, STORE_MEMBER(struct judged_row, text),
                 .max = PROTOCOL_SAY_BYTES}},
};

/* ---- words */

static const char *const whys[REPORT_WHYS] = {
    [WHY_TALK] = "talk",         [WHY_NAME] = "name",   [WHY_CHEATING] = "cheating",
    [WHY_STALLING] = "stalling", [WHY_OTHER] = "other",
};
static const char *const verdicts[VERDICTS] = {
    [VERDICT_DISMISS] = "dismiss",
    [VERDICT_WARN] = "warn",
    [VERDICT_SILENCE] = "silence",
    [VERDICT_BAN] = "ban",
};

static int find_word(const char *const *words, int count, const char *word)
{
    int at = 0;
    while (at < count && strcmp(words[at], word) != 0)
        at++;
    return at;
}

const char *why_word(enum report_why why)
{
    return whys[why];
}

enum report_why why_find(const char *word)
{
    return (enum report_why)find_word(whys, REPORT_WHYS, word);
}

const char *verdict_word(enum verdict verdict)
{
    return verdicts[verdict];
}

enum verdict verdict_find(const char *word)
{
    return (enum verdict)find_word(verdicts, VERDICTS, word);
}

bool verdict_lasts(enum verdict verdict)
{
    return verdict == VERDICT_SILENCE || verdict == VERDICT_BAN;
}
