#include "levels.h"

#include "pool/pool.h"
#include "rows/state.h"
#include "waiting/told.h"
#include <assert.h>
#include <base/table.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <inttypes.h>
#include <protocol/json_writer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct store_table level_table = {
    .name = "yardstick",
    .what = "a count of matches against a level of the computer",
    .number = 72,
    .size = sizeof(struct level_row),
    .owner = STORE_OF_DESK,
    .keys = 5,
    .count = 7,
    .columns =
        {{"class", STORE_NUMBER, STORE_MEMBER(struct level_row, class), .max = RATING_CLASSES},
         {"level", STORE_STRING, STORE_MEMBER(struct level_row, level)},
         {"sides", STORE_NUMBER, STORE_MEMBER(struct level_row, sides), .max = RATING_SEATS},
         {"inside", STORE_NUMBER, STORE_MEMBER(struct level_row, inside), .max = RATING_SEATS},
         {"strength", STORE_NUMBER, STORE_MEMBER(struct level_row, strength), .max = RATING_MAX},
         {"trials", STORE_NUMBER, STORE_MEMBER(struct level_row, trials)},
         {"won", STORE_NUMBER, STORE_MEMBER(struct level_row, won)}},
    .indexes = {{"of_class", .columns = {0}, .count = 1, .same = 1}},
};

/* ---- in memory */

struct entry {
    uint64_t place;
    struct level_row row;
};

struct level_rows {
    struct table table; /* of struct entry */
};

int levels_begin(struct levels *levels)
{
    levels->rows = malloc(sizeof *levels->rows);
    if (!levels->rows)
        return -1;
    table_init(&levels->rows->table, sizeof(struct entry));
    return 0;
}

void levels_end(struct levels *levels)
{
    for (size_t at = 0; at < RATING_CLASSES; at++)
        free(levels->texts[at].text);
    if (levels->rows)
        table_release(&levels->rows->table);
    free(levels->rows);
}

static uint64_t place_of(const struct level_row *row)
{
    return row->strength | (uint64_t)row->inside << 32 | (uint64_t)row->sides << 40 |
           (uint64_t)row->class << 48;
}

static struct level_row *find_row(const struct levels *levels, const struct level_row *row)
{
    size_t at = 0;
    struct entry *entry;
    while ((entry = table_find(&levels->rows->table, place_of(row), &at))) {
        if (strcmp(entry->row.level, row->level) == 0)
            return &entry->row;
    }
    return NULL;
}

bool levels_restore(struct hub *hub, const struct level_row *row)
{
    struct levels *levels = &desk_of(hub)->levels;
    if (!table_reserve(&levels->rows->table, 1))
        return false;
    table_add(&levels->rows->table, &(struct entry){place_of(row), *row});
    return true;
}

/* ---- a match: "ACCOUNT CLASS LEVEL SIDES", and of each trial " INSIDE:WON" */

const char level_letter[] = "ratings.level";
enum { LETTER_MAX = 192 };

struct trial {
    unsigned inside, won;
};

struct trials {
    uint64_t account;
    unsigned class, sides, count;
    struct trial trial[RATING_SEATS];
    char level[PROTOCOL_LEVEL_BYTES + 1];
};

struct counting {
    struct kernel_change change;
    unsigned count;
    struct level_row rows[RATING_SEATS]; /* how much more */
};

static void count_back(struct hub *hub, struct session *session, struct kernel_change *change)
{
    const struct counting *counting = (const struct counting *)(const void *)change;
    (void)session;
    for (unsigned at = 0; at < counting->count; at++) {
        struct level_row *row = find_row(&desk_of(hub)->levels, &counting->rows[at]);
        assert(row); /* count_trial has made it */
        row->trials -= counting->rows[at].trials;
        row->won -= counting->rows[at].won;
    }
}

static void count_durable(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)hub, (void)session, (void)change;
}

static void destroy_change(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type counting_type = {
    .carry_out = count_durable, .undo = count_back, .destroy = destroy_change};

/* A blank, and a word that fits; where it goes on. NULL: there is none. */
static const char *read_word(const char *at, char *word, size_t size)
{
    const size_t len = at && *at == ' ' ? strcspn(at + 1, " ") : 0;
    if (len == 0 || len >= size)
        return NULL;
    memcpy(word, at + 1, len);
    word[len] = '\0';
    return at + 1 + len;
}

/* The same of a number, to `most`, behind that character. */
static const char *read_number(const char *at, char before, unsigned most, unsigned *number)
{
    char *end;
    if (!at || *at != before || at[1] < '0' || at[1] > '9')
        return NULL;
    const unsigned long read = strtoul(at + 1, &end, 10);
    *number = (unsigned)read;
    return read <= most ? end : NULL;
}

static bool read_trials(const char *at, struct trials *trials)
{
    while (*at && trials->count < RATING_SEATS) {
        struct trial *trial = &trials->trial[trials->count++];
        at = read_number(at, ' ', trials->sides, &trial->inside);
        at = read_number(at, ':', YARDSTICK_WIN, &trial->won);
        if (!at || trial->inside < RATING_SIDES_MIN)
            return false;
    }
    return !*at && trials->count > 0 &&
           rating_class_has_sides(rating_class_at(trials->class), trials->sides);
}

static bool read_letter(const struct store_letter *letter, struct trials *trials)
{
    char text[LETTER_MAX], class[RATING_CLASS_BYTES + 1];
    *trials = (struct trials){.count = 0};
    if (letter->text_len <= POOL_ID_DIGITS || letter->text_len >= sizeof text)
        return false;
    memcpy(text, letter->text, letter->text_len);
    text[letter->text_len] = '\0';
    if (!pool_read_id(text, &trials->account))
        return false;
    const char *at = read_word(text + POOL_ID_DIGITS, class, sizeof class);
    at = read_word(at, trials->level, sizeof trials->level);
    at = read_number(at, ' ', RATING_SEATS, &trials->sides);
    if (!at || strspn(trials->level, "abcdefghijklmnopqrstuvwxyz") != strlen(trials->level))
        return false;
    trials->class = rating_class_find(class);
    return trials->class != 0 && read_trials(at, trials);
}

/* 0: too little is known of them. */
static uint32_t known_strength(const struct hub *hub, const struct trials *trials)
{
    const struct standing *standing =
        ledger_find(&desk_of(hub)->ledger, trials->account, trials->class);
    if (!standing)
        return 0;
    const int64_t idle_ms = kernel_now_ms(hub) - standing->last_ms;
    return rating_aged(standing->rating.deviation, idle_ms) <= LEVELS_DEVIATION
               ? standing->rating.strength
               : 0;
}

/* It was reserved. Taken back if it cannot be stored. */
static void count_trial(struct hub *hub, const struct level_row *more)
{
    struct levels *levels = &desk_of(hub)->levels;
    if (!find_row(levels, more)) {
        struct entry entry = {place_of(more), *more};
        entry.row.trials = entry.row.won = 0;
        table_add(&levels->rows->table, &entry);
    }
    struct level_row *row = find_row(levels, more);
    assert(row);
    row->trials += more->trials;
    row->won += more->won;
    kernel_put_row(hub, &level_table, row);
}

enum letter_fate levels_apply(struct hub *hub, const struct store_letter *letter)
{
    struct trials trials;
    if (!read_letter(letter, &trials))
        return LETTER_REFUSED;
    const uint32_t strength = known_strength(hub, &trials);
    if (strength == 0)
        return LETTER_APPLIED;
    struct counting *counting = calloc(1, sizeof *counting);
    if (!counting || !table_reserve(&desk_of(hub)->levels.rows->table, trials.count)) {
        free(counting);
        return LETTER_LATER;
    }
    counting->change.type = &counting_type;
    counting->count = trials.count;
    for (unsigned at = 0; at < trials.count; at++) {
        struct level_row *row = &counting->rows[at];
        *row = (struct level_row){.class = (uint8_t)trials.class,
                                  .sides = (uint8_t)trials.sides,
                                  .inside = (uint8_t)trials.trial[at].inside,
                                  .strength = yardstick_step(strength),
                                  .trials = 1,
                                  .won = trials.trial[at].won};
        memcpy(row->level, trials.level, sizeof row->level);
        count_trial(hub, row);
    }
    kernel_change_hub(hub, &counting->change);
    return LETTER_APPLIED;
}

/* ---- what they are worth */

static bool is_of(const struct level_row *row, unsigned class, const char *level)
{
    return row->class == class && row->trials > 0 && strcmp(row->level, level) == 0;
}

/* So many that all fit. */
static size_t collect_counts(const struct levels *levels, unsigned class, const char *level,
                             struct yardstick_count *counts, uint64_t *matches)
{
    const struct entry *entry;
    size_t at = 0, count = 0;
    *matches = 0;
    while ((entry = table_next(&levels->rows->table, &at))) {
        const struct level_row *row = &entry->row;
        if (!is_of(row, class, level))
            continue;
        *matches += row->inside == row->sides ? row->trials : 0;
        counts[count++] = (struct yardstick_count){.sides = row->sides,
                                                   .inside = row->inside,
                                                   .strength = row->strength,
                                                   .trials = row->trials,
                                                   .won = row->won};
    }
    return count;
}

/* A level, and what it is worth. */
struct worth {
    const char *level;
    struct rating rating;
    uint64_t matches;
};

static void write_level(const struct worth *worth, struct buffer *out)
{
    struct writer writer;
    writer_init(&writer, out);
    writer_object(&writer);
    writer_key_string(&writer, "level", worth->level);
    writer_key_int(&writer, "rating", told_points(worth->rating.strength));
    writer_key_int(&writer, "deviation", told_points(worth->rating.deviation));
    writer_key_int(&writer, "matches", (int64_t)worth->matches);
    writer_end(&writer);
    buffer_append_byte(out, '\n');
}

/* The words of a class, up to PROTOCOL_LEVELS of them. */
static unsigned collect_levels(const struct levels *levels, unsigned class,
                               struct worth worths[static PROTOCOL_LEVELS])
{
    const struct entry *entry;
    unsigned count = 0;
    size_t at = 0;
    while (count < PROTOCOL_LEVELS && (entry = table_next(&levels->rows->table, &at))) {
        unsigned known = 0;
        while (known < count && !is_of(&entry->row, class, worths[known].level))
            known++;
        if (known == count && entry->row.class == class && entry->row.trials > 0)
            worths[count++] = (struct worth){.level = entry->row.level};
    }
    return count;
}

static int compare_worths(const void *left, const void *right)
{
    const struct worth *a = left, *b = right;
    const uint32_t one = a->rating.strength, other = b->rating.strength;
    return one != other ? (one > other) - (one < other) : strcmp(a->level, b->level);
}

/* The weakest level first. False: out of memory. */
static bool make_text(const struct hub *hub, unsigned class, struct buffer *out)
{
    const struct levels *levels = &desk_of(hub)->levels;
    struct worth worths[PROTOCOL_LEVELS];
    struct yardstick_count *counts = calloc(levels->rows->table.count + 1, sizeof *counts);
    const unsigned count = counts ? collect_levels(levels, class, worths) : 0;
    for (unsigned at = 0; at < count; at++) {
        struct worth *worth = &worths[at];
        const size_t of = collect_counts(levels, class, worth->level, counts, &worth->matches);
        (void)yardstick_fit(rating_class_at(class), counts, of, &worth->rating);
    }
    qsort(worths, count, sizeof worths[0], compare_worths);
    for (unsigned at = 0; at < count; at++) {
        if (worths[at].matches >= YARDSTICK_MATCHES_MIN)
            write_level(&worths[at], out);
    }
    free(counts);
    return counts && !out->failed;
}

static bool renew_text(const struct hub *hub, unsigned class, struct level_text *text)
{
    enum { TEXT_MAX = PROTOCOL_LEVELS * 128 };
    struct buffer out;
    if (text->text && kernel_now_ms(hub) - text->made_ms < LEVELS_MADE_MS)
        return true;
    buffer_init(&out, 0, TEXT_MAX);
    char *copy = make_text(hub, class, &out) ? malloc(out.len + 1) : NULL;
    if (copy) {
        free(text->text);
        memcpy(copy, out.len ? buffer_payload(&out) : "", out.len);
        *text = (struct level_text){copy, out.len, kernel_now_ms(hub)};
    }
    buffer_release(&out);
    return copy;
}

void levels_get(struct hub *hub, const char *rest, struct hub_http_answer *answer)
{
    static const char none[] = "There is no such class.\n";
    const unsigned class = rating_class_find(rest);
    struct level_text *text = class ? &desk_of(hub)->levels.texts[class - 1] : NULL;
    if (!text)
        hub_http_make(answer, 404, "", none, sizeof none - 1);
    else if (renew_text(hub, class, text))
        hub_http_make(answer, 200, "", text->text, text->len);
    else
        hub_http_make(answer, 503, "", NULL, 0);
}
