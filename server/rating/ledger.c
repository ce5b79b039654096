#include <rating/ledger.h>

#include "wide.h"
#include <assert.h>
#include <rating/book.h>
#include <rating/class.h>
#include <rating/refunds.h>
#include <rating/update.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table */

enum { SLOTS_MIN = 64 };

void ledger_init(struct ledger *ledger)
{
    *ledger = (struct ledger){0};
}

void ledger_release(struct ledger *ledger)
{
    free(ledger->slots);
    ledger_init(ledger);
}

/* Where it is, or is to be; there is a free one. */
static struct standing *slot_of(const struct ledger *ledger, uint64_t account, unsigned class)
{
    const uint64_t mixed = (account ^ class) * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(mixed >> 16) & (ledger->size - 1);
    while (ledger->slots[at].account != 0 &&
           (ledger->slots[at].account != account || ledger->slots[at].class != class))
        at = (at + 1) & (ledger->size - 1);
    return &ledger->slots[at];
}

static int grow_slots(struct ledger *ledger, size_t size)
{
    const struct ledger before = *ledger;
    struct standing *slots = calloc(size, sizeof *slots);
    if (!slots)
        return -1;
    ledger->slots = slots;
    ledger->size = size;
    for (size_t at = 0; at < before.size; at++) {
        const struct standing *standing = &before.slots[at];
        if (standing->account != 0)
            *slot_of(ledger, standing->account, standing->class) = *standing;
    }
    free(before.slots);
    return 0;
}

int ledger_reserve(struct ledger *ledger, size_t more)
{
    size_t size = ledger->size ? ledger->size : SLOTS_MIN;
    while ((ledger->count + more) * 4 > size * 3)
        size *= 2;
    return size == ledger->size ? 0 : grow_slots(ledger, size);
}

const struct standing *ledger_find(const struct ledger *ledger, uint64_t account, unsigned class)
{
    const struct standing *slot = ledger->size ? slot_of(ledger, account, class) : NULL;
    return slot && slot->n != 0 ? slot : NULL;
}

int ledger_put(struct ledger *ledger, const struct standing *standing)
{
    assert(standing->account != 0 && rating_class_at(standing->class));
    if (ledger_reserve(ledger, 1) < 0)
        return -1;
    struct standing *slot = slot_of(ledger, standing->account, standing->class);
    ledger->count += slot->account == 0;
    *slot = *standing;
    return 0;
}

const struct standing *ledger_next(const struct ledger *ledger, size_t *at)
{
    while (*at < ledger->size && ledger->slots[*at].n == 0)
        ++*at;
    return *at < ledger->size ? &ledger->slots[*at] : NULL;
}

/* ---- a match */

/* A class that one has played enough says something about the others of its game. */
enum { RELATED_DEVIATION_MAX = 110000, RELATED_DOUBT = 200000 };

static struct rating age_rating(const struct standing *standing, int64_t ended_ms)
{
    struct rating rating = standing->rating;
    rating.deviation = rating_aged(rating.deviation, ended_ms - standing->last_ms);
    return rating;
}

/* The best known one, of equal ones the first. */
static struct rating begin_rating(const struct ledger *ledger, uint64_t account,
                                  const struct book_match *match)
{
    const char *game = rating_class_at(match->class)->game;
    struct rating best = {.strength = RATING_START, .deviation = RELATED_DEVIATION_MAX + 1};
    for (unsigned other = 1; other <= RATING_CLASSES; other++) {
        const struct standing *standing = strcmp(rating_class_at(other)->game, game) == 0
                                              ? ledger_find(ledger, account, other)
                                              : NULL;
        const struct rating rating =
            standing ? age_rating(standing, match->ended_ms) : (struct rating){0, UINT32_MAX};
        if (rating.deviation < best.deviation)
            best = rating;
    }
    if (best.deviation > RELATED_DEVIATION_MAX)
        return (struct rating){RATING_START, RATING_DEVIATION_START};
    const uint32_t doubt = wide_root((uint64_t)best.deviation * best.deviation +
                                     (uint64_t)RELATED_DOUBT * RELATED_DOUBT);
    return (struct rating){
        .strength = (best.strength + RATING_START) / 2,
        .deviation = doubt < RATING_DEVIATION_MAX ? doubt : RATING_DEVIATION_MAX,
    };
}

static struct rating rating_before(const struct ledger *ledger, uint64_t account,
                                   const struct book_match *match)
{
    const struct standing *standing = ledger_find(ledger, account, match->class);
    return standing ? age_rating(standing, match->ended_ms) : begin_rating(ledger, account, match);
}

void ledger_rate(const struct ledger *ledger, struct book_match *match)
{
    const struct rating_class *class = rating_class_at(match->class);
    struct rating after[RATING_SEATS];
    struct rating_match update = {.seats = match->seats,
                                  .sides = match->sides,
                                  .scale = rating_class_scale(class, match->sides),
                                  .still = match->still};
    for (unsigned i = 0; i < match->seats; i++) {
        struct book_seat *seat = &match->seat[i];
        seat->before = rating_before(ledger, seat->account, match);
        update.before[i] = seat->before;
        update.side[i] = seat->side;
    }
    if (class->places) {
        update.stages = rating_stages(match->place, match->sides, update.stage);
    } else {
        update.stages = 1;
        update.stage[0] = (struct rating_stage){.inside = (UINT32_C(1) << match->sides) - 1,
                                                .first = match->winners};
    }
    rating_update(&update, after);
    for (unsigned i = 0; i < match->seats; i++)
        match->seat[i].after = after[i];
}

/* ---- following */

static void follow_match(struct ledger *ledger, uint64_t n, const struct book_match *match)
{
    for (unsigned i = 0; i < match->seats; i++) {
        const struct book_seat *seat = &match->seat[i];
        const struct standing *was = ledger_find(ledger, seat->account, match->class);
        struct standing now = {.account = seat->account,
                               .class = match->class,
                               .rating = seat->after,
                               .matches = (was ? was->matches : 0) + 1,
                               .last_ms = match->ended_ms,
                               .n = n};
        if (was && was->last_ms > now.last_ms)
            now.last_ms = was->last_ms;
        (void)ledger_put(ledger, &now);
    }
}

static void follow_annul(struct ledger *ledger, uint64_t n, const struct book_annul *annul)
{
    for (unsigned i = 0; i < annul->refunds; i++) {
        const struct book_refund *refund = &annul->refund[i];
        const struct standing *was = ledger_find(ledger, refund->account, annul->class);
        struct standing now = *was;
        const uint32_t room = RATING_MAX - now.rating.strength;
        now.rating.strength += refund->points < room ? refund->points : room;
        now.n = n;
        (void)ledger_put(ledger, &now);
    }
}

/* In all classes; their slots stay theirs. */
static void follow_gone(struct ledger *ledger, uint64_t account)
{
    for (unsigned class = 1; class <= RATING_CLASSES; class ++) {
        const struct standing none = {.account = account, .class = (uint8_t) class};
        if (ledger_find(ledger, account, class))
            (void)ledger_put(ledger, &none);
    }
}

int ledger_follow(struct ledger *ledger, const struct book_entry *entry, const char *line,
                  size_t len)
{
    uint8_t hash[BOOK_HASH_BYTES];
    assert(entry->n == ledger->n + 1);
    if (ledger_reserve(ledger, RATING_SEATS) < 0)
        return -1;
    switch (entry->kind) {
    case BOOK_SYSTEM:
        ledger->system = entry->u.system;
        break;
    case BOOK_MATCH:
        follow_match(ledger, entry->n, &entry->u.match);
        break;
    case BOOK_ANNUL:
        follow_annul(ledger, entry->n, &entry->u.annul);
        break;
    case BOOK_GONE:
        follow_gone(ledger, entry->u.gone);
        break;
    }
    book_hash(hash, ledger->hash, line, len);
    memcpy(ledger->hash, hash, sizeof hash);
    ledger->n = entry->n;
    return 0;
}

/* ---- checking */

static bool match_follows(const struct ledger *ledger, const struct book_match *match)
{
    struct book_match again = *match;
    for (unsigned i = 0; i < match->seats; i++) {
        if (match->seat[i].account == 0)
            return false;
        for (unsigned j = 0; j < i; j++) {
            if (match->seat[i].account == match->seat[j].account)
                return false;
        }
    }
    ledger_rate(ledger, &again);
    for (unsigned i = 0; i < match->seats; i++) {
        const struct book_seat *a = &match->seat[i], *b = &again.seat[i];
        if (a->before.strength != b->before.strength ||
            a->before.deviation != b->before.deviation || a->after.strength != b->after.strength ||
            a->after.deviation != b->after.deviation)
            return false;
    }
    return true;
}

/* How much each has lost by it is not known here any more: only that it is of the past. */
static bool annul_follows(const struct ledger *ledger, const struct book_annul *annul)
{
    for (unsigned i = 0; i < annul->refunds; i++) {
        if (annul->refund[i].account == 0 ||
            !ledger_find(ledger, annul->refund[i].account, annul->class))
            return false;
    }
    return annul->of >= 1 && annul->of <= ledger->n;
}

bool ledger_is_rated(const struct ledger *ledger, uint64_t account)
{
    unsigned class = RATING_CLASSES;
    while (class > 0 && !ledger_find(ledger, account, class))
        class --;
    return class > 0;
}

void ledger_leave_out_gone(const struct ledger *ledger, struct book_annul *annul)
{
    unsigned left = 0;
    for (unsigned i = 0; i < annul->refunds; i++) {
        if (ledger_find(ledger, annul->refund[i].account, annul->class))
            annul->refund[left++] = annul->refund[i];
    }
    annul->refunds = left;
}

bool ledger_gives_back(const struct ledger *ledger, const struct refunds *refunds,
                       const struct book_entry *entry)
{
    const struct book_annul *annul = &entry->u.annul;
    struct book_annul right = {.of = annul->of};
    if (entry->kind != BOOK_ANNUL)
        return true;
    if (!refunds_fill(refunds, &right))
        return false;
    ledger_leave_out_gone(ledger, &right);
    if (right.class != annul->class || right.refunds != annul->refunds)
        return false;
    for (unsigned i = 0; i < right.refunds; i++) {
        if (right.refund[i].account != annul->refund[i].account ||
            right.refund[i].points != annul->refund[i].points)
            return false;
    }
    return true;
}

static enum ledger_fault check_entry(const struct ledger *ledger, const struct book_entry *entry)
{
    switch (entry->kind) {
    case BOOK_SYSTEM:
        return entry->u.system > ledger->system && entry->u.system <= RATING_SYSTEM ? LEDGER_FINE
                                                                                    : LEDGER_SYSTEM;
    case BOOK_MATCH:
        if (ledger->system != RATING_SYSTEM)
            return LEDGER_SYSTEM;
        return match_follows(ledger, &entry->u.match) ? LEDGER_FINE : LEDGER_NUMBERS;
    case BOOK_ANNUL:
        return annul_follows(ledger, &entry->u.annul) ? LEDGER_FINE : LEDGER_NUMBERS;
    case BOOK_GONE:
        return entry->u.gone != 0 && ledger_is_rated(ledger, entry->u.gone) ? LEDGER_FINE
                                                                            : LEDGER_NUMBERS;
    }
    return LEDGER_UNREADABLE;
}

/* `entry` is what the line says. */
static enum ledger_fault check_line(const struct ledger *ledger, const struct book_entry *entry,
                                    const char *line, size_t len,
                                    const uint8_t hash[static BOOK_HASH_BYTES])
{
    uint8_t own[BOOK_HASH_BYTES];
    if (entry->n != ledger->n + 1)
        return LEDGER_GAP;
    book_hash(own, ledger->hash, line, len);
    if (memcmp(own, hash, sizeof own) != 0)
        return LEDGER_HASH;
    return check_entry(ledger, entry);
}

enum ledger_fault ledger_check(struct ledger *ledger, const char *line, size_t len,
                               const uint8_t hash[static BOOK_HASH_BYTES])
{
    struct book_entry entry;
    if (!book_read(&entry, line, len))
        return LEDGER_UNREADABLE;
    const enum ledger_fault fault = check_line(ledger, &entry, line, len, hash);
    if (fault != LEDGER_FINE)
        return fault;
    return ledger_follow(ledger, &entry, line, len) < 0 ? LEDGER_NO_MEMORY : LEDGER_FINE;
}

enum ledger_fault ledger_audit(struct ledger *ledger, struct refunds *refunds,
                               struct book_entry *entry, const char *line, size_t len,
                               const uint8_t hash[static BOOK_HASH_BYTES])
{
    if (!book_read(entry, line, len))
        return LEDGER_UNREADABLE;
    const enum ledger_fault fault = check_line(ledger, entry, line, len, hash);
    if (fault != LEDGER_FINE)
        return fault;
    if (!ledger_gives_back(ledger, refunds, entry))
        return LEDGER_NUMBERS;
    if (ledger_reserve(ledger, RATING_SEATS) < 0 || refunds_follow(refunds, entry) < 0)
        return LEDGER_NO_MEMORY;
    (void)ledger_follow(ledger, entry, line, len); /* there is memory */
    return LEDGER_FINE;
}

const char *ledger_fault_text(enum ledger_fault fault)
{
    switch (fault) {
    case LEDGER_FINE:
        return "it is as it should be";
    case LEDGER_UNREADABLE:
        return "it is no line of a book";
    case LEDGER_GAP:
        return "its number is not the next one";
    case LEDGER_HASH:
        return "its hash is not that of the lines so far";
    case LEDGER_SYSTEM:
        return "it goes by a version of the system that this program does not know";
    case LEDGER_NUMBERS:
        return "its ratings do not follow from the lines before it";
    case LEDGER_NO_MEMORY:
        return "out of memory";
    }
    return "";
}
