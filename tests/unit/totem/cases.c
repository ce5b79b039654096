#include "cases.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <totem_rules/notation.h>

struct reading {
    struct cases_report *report;
    const char *file;
    unsigned line;
    struct totem game;
    struct totem_births births;
    struct totem_command command; /* the last one */
    struct totem_effects effects;
    bool left; /* the last thing was a seat that left: there is no command */
};

#define FAIL(reading, ...)                                                                         \
    do {                                                                                           \
        char told[8192];                                                                           \
        (void)snprintf(told, sizeof told, __VA_ARGS__);                                            \
        ck_abort_msg("%s:%u: %s", (reading)->file, (reading)->line, told);                         \
    } while (0)

static void expect_text(struct reading *reading, const char *found, const char *expected)
{
    reading->report->questions++;
    if (strcmp(found, expected) != 0)
        FAIL(reading, "found\n  %s, not\n  %s", found, expected);
}

/* Cuts the first word off. */
static char *word(char **rest)
{
    char *begin = *rest + strspn(*rest, " ");
    char *end = begin + strcspn(begin, " ");
    *rest = *end == '\0' ? end : end + 1;
    *rest += strspn(*rest, " ");
    *end = '\0';
    return begin;
}

static unsigned family_of(struct reading *reading, const char *text)
{
    for (unsigned family = 0; family < TOTEM_FAMILIES; family++) {
        if (*text == totem_family_letters[family])
            return family;
    }
    FAIL(reading, "%s is no family", text);
    return 0;
}

static unsigned audience_of(const char *text)
{
    return *text == 'w' ? (unsigned)TOTEM_WATCHER : (unsigned)atoi(text);
}

/* ---- the position */

static void set_position(struct reading *reading, const char *text)
{
    size_t offset;
    const char *what;
    if (!totem_position_parse(text, strlen(text), &reading->game, &offset, &what))
        FAIL(reading, "byte %zu: %s: %s", offset, what, text + offset);
    memset(&reading->births, 0, sizeof reading->births);
}

/* The options as they begin a position; the rest follows. */
static void set_start(struct reading *reading, const char *options)
{
    char text[TOTEM_POSITION_TEXT];
    const char first = options[2];
    const char *const seven = "t1b6:wwmmWMe,-,-";
    const bool three = options[0] == '3';
    const char *order = strchr("RGBYRGBY", first);
    struct totem game;
    if (three)
        order = strchr("RGBRGB", first);
    (void)snprintf(text, sizeof text, "%s 1%c settle:%.*s %s/%s/%s%s%s -/-/-%s -/-/-%s", options,
                   first, three ? 3 : 4, order, seven, seven, seven, three ? "" : "/",
                   three ? "" : seven, three ? "" : "/-", three ? "" : "/-");
    set_position(reading, text);
    totem_init(&game, &reading->game.options);
    if (memcmp(&game, &reading->game, sizeof game) != 0)
        FAIL(reading, "a game does not begin so");
}

static void set_births(struct reading *reading, char *rest)
{
    for (unsigned hut = 0; hut < TOTEM_HUTS_ALL && *rest != '\0'; hut++)
        reading->births.words[hut] = (uint16_t)strtoul(word(&rest), NULL, 16);
}

static void expect_position(struct reading *reading, unsigned audience, const char *expected)
{
    char text[TOTEM_POSITION_TEXT];
    totem_position_format(&reading->game, audience, text);
    expect_text(reading, text, expected);
}

static void expect_part(struct reading *reading, char *rest)
{
    char text[TOTEM_POSITION_TEXT], *at = text;
    totem_position_format(&reading->game, TOTEM_SERVER, text);
    for (int skip = atoi(word(&rest)); skip > 0; skip--)
        (void)word(&at);
    expect_text(reading, word(&at), rest);
}

static void expect_impossible(struct reading *reading, const char *text)
{
    struct totem game;
    reading->report->questions++;
    if (totem_position_parse(text, strlen(text), &game, NULL, NULL))
        FAIL(reading, "this is possible");
}

/* ---- commands */

/* Every answer is also held against the list, which must say the same. */
static void check_listed(struct reading *reading, const char *text, bool allowed)
{
    enum { MAX = 3000 };
    static struct totem_command list[MAX];
    const unsigned verb = reading->command.verb, family = reading->command.family;
    if (verb == TOTEM_VERB_SETTLE || verb == TOTEM_VERB_WRITE ||
        (totem_acting(&reading->game) >> family & 1) == 0)
        return;
    const size_t count = totem_list(&reading->game, family, list, MAX);
    bool found = false;
    for (size_t i = 0; i < count && i < MAX; i++) {
        char one[TOTEM_COMMAND_TEXT];
        totem_command_format(&list[i], one);
        found = found || strcmp(one, text) == 0;
    }
    if (count <= MAX && found != allowed)
        FAIL(reading, "the list of commands says otherwise");
}

static enum totem_status ask(struct reading *reading, unsigned seat, const char *text)
{
    if (!totem_command_parse(text, strlen(text), &reading->command))
        return TOTEM_BAD_COMMAND;
    const enum totem_status status = totem_check(&reading->game, seat, &reading->command);
    if (status == TOTEM_OK || status > TOTEM_NOT_YOUR_TURN)
        check_listed(reading, text, status == TOTEM_OK);
    return status;
}

static void try_command(struct reading *reading, char *rest)
{
    const unsigned seat = (unsigned)atoi(word(&rest));
    const char *const text = word(&rest);
    const struct totem before = reading->game;
    const enum totem_status status = ask(reading, seat, text);
    expect_text(reading, totem_status_code(status), rest);
    reading->report->seen[status] = true;
    if (status != TOTEM_OK && status != TOTEM_BAD_COMMAND)
        ck_assert_int_eq(
            totem_play(&reading->game, seat, &reading->command, &reading->births, NULL), status);

    ck_assert_mem_eq(&before, &reading->game, sizeof before);
}

static void play_command(struct reading *reading, char *rest)
{
    const unsigned seat = (unsigned)atoi(word(&rest));
    const char *const text = word(&rest);
    expect_text(reading, totem_status_code(ask(reading, seat, text)), "ok");
    reading->left = false;
    ck_assert_int_eq(
        totem_play(&reading->game, seat, &reading->command, &reading->births, &reading->effects),
        TOTEM_OK);
}

static void leave(struct reading *reading, const char *seat)
{
    reading->left = true;
    if (totem_forfeit(&reading->game, (unsigned)atoi(seat), &reading->births, &reading->effects) !=
        TOTEM_OK)
        FAIL(reading, "seat %s cannot leave", seat);
}

static void take_back(struct reading *reading, const char *text)
{
    const unsigned family = family_of(reading, text);
    if (!totem_may_take_back(&reading->game, family))
        FAIL(reading, "%s has nothing to take back", text);
    totem_take_back(&reading->game, family);
}

static void expect_event(struct reading *reading, unsigned audience, const char *expected)
{
    char text[TOTEM_EVENT_TEXT];
    totem_event_format(&reading->game.options, reading->left ? NULL : &reading->command,
                       &reading->effects, audience, text);
    expect_text(reading, text, expected);
}

static void expect_effects(struct reading *reading, const char *expected)
{
    char text[TOTEM_EVENT_TEXT];
    totem_event_format(&reading->game.options, NULL, &reading->effects, TOTEM_SERVER, text);
    expect_text(reading, *text == '\0' ? "-" : text, expected);
}

static void expect_count(struct reading *reading, char *rest)
{
    const unsigned family = family_of(reading, word(&rest));
    char text[16];
    struct totem_command *list = calloc(3000, sizeof *list);
    ck_assert_ptr_nonnull(list);
    (void)snprintf(text, sizeof text, "%zu", totem_list(&reading->game, family, list, 3000));
    free(list);
    expect_text(reading, text, rest);
}

static void expect_default(struct reading *reading, char *rest)
{
    const unsigned family = family_of(reading, word(&rest));
    struct totem_command command;
    char text[TOTEM_COMMAND_TEXT];
    totem_default_command(&reading->game, family, &command);
    totem_command_format(&command, text);
    expect_text(reading, text, rest);
    ck_assert_int_eq(
        totem_check(&reading->game, totem_seat_of(&reading->game.options, family), &command),
        TOTEM_OK);
}

static size_t add_seats(char *text, size_t at, unsigned set)
{
    for (unsigned seat = 0; seat < TOTEM_SEATS_MAX; seat++) {
        if ((set >> seat & 1) != 0)
            text[at++] = (char)('0' + seat);
    }
    return at;
}

static void expect_result(struct reading *reading, const char *expected)
{
    struct totem_outcome outcome;
    char text[64];
    totem_outcome(&reading->game, &outcome);
    size_t at =
        (size_t)snprintf(text, sizeof text, "%s ", totem_end_name((enum totem_end)outcome.end));
    if (outcome.winners == 0)
        text[at++] = '-';
    at = add_seats(text, at, outcome.winners);
    for (unsigned i = 0; i < outcome.n_ranks; i++) {
        text[at++] = i == 0 ? ' ' : '/';
        at = add_seats(text, at, outcome.ranks[i]);
    }
    text[at] = '\0';
    expect_text(reading, text, expected);
}

/* ---- lines */

static bool set_up(struct reading *reading, const char *verb, char *rest)
{
    if (strcmp(verb, "case") == 0)
        reading->report->cases++;
    else if (strcmp(verb, "position") == 0)
        set_position(reading, rest);
    else if (strcmp(verb, "start") == 0)
        set_start(reading, rest);
    else if (strcmp(verb, "births") == 0)
        set_births(reading, rest);
    else
        return false;
    return true;
}

static bool act(struct reading *reading, const char *verb, char *rest)
{
    if (strcmp(verb, "try") == 0)
        try_command(reading, rest);
    else if (strcmp(verb, "play") == 0)
        play_command(reading, rest);
    else if (strcmp(verb, "leave") == 0)
        leave(reading, rest);
    else if (strcmp(verb, "back") == 0)
        take_back(reading, rest);
    else
        return false;
    return true;
}

static void question(struct reading *reading, const char *verb, char *rest)
{
    if (strcmp(verb, "fx") == 0) {
        expect_effects(reading, rest);
    } else if (strcmp(verb, "hear") == 0) {
        const unsigned audience = audience_of(word(&rest));
        expect_event(reading, audience, rest);
    } else if (strcmp(verb, "now") == 0) {
        expect_position(reading, TOTEM_SERVER, rest);
    } else if (strcmp(verb, "part") == 0) {
        expect_part(reading, rest);
    } else if (strcmp(verb, "view") == 0) {
        const unsigned audience = audience_of(word(&rest));
        expect_position(reading, audience, rest);
    } else if (strcmp(verb, "list") == 0) {
        expect_count(reading, rest);
    } else if (strcmp(verb, "absent") == 0) {
        expect_default(reading, rest);
    } else if (strcmp(verb, "result") == 0) {
        expect_result(reading, rest);
    } else if (strcmp(verb, "impossible") == 0) {
        expect_impossible(reading, rest);
    } else {
        FAIL(reading, "%s is no question", verb);
    }
}

static void run_line(struct reading *reading, char *line)
{
    line[strcspn(line, "#\n")] = '\0';
    for (size_t len = strlen(line); len > 0 && line[len - 1] == ' '; len--)
        line[len - 1] = '\0';
    const char *const verb = word(&line);
    if (*verb != '\0' && !set_up(reading, verb, line) && !act(reading, verb, line))
        question(reading, verb, line);
}

static void run_file(const char *path, struct cases_report *report)
{
    struct reading reading = {.report = report, .file = path};
    char line[4096];
    FILE *const file = fopen(path, "r");
    ck_assert_msg(file, "%s cannot be read", path);
    while (fgets(line, sizeof line, file)) {
        reading.line++;
        run_line(&reading, line);
    }
    (void)fclose(file);
    report->files++;
}

static int is_cases(const struct dirent *entry)
{
    const size_t len = strlen(entry->d_name);
    return len > 4 && strcmp(entry->d_name + len - 4, ".txt") == 0;
}

void cases_run(const char *folder, struct cases_report *report)
{
    struct dirent **entries;
    const int n = scandir(folder, &entries, is_cases, alphasort);
    ck_assert_msg(n > 0, "no cases in %s", folder);
    for (int i = 0; i < n; i++) {
        char path[4096];
        (void)snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        run_file(path, report);
        free(entries[i]);
    }
    free(entries);
}
