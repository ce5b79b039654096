#include "seek.h"

#include "offer.h"
#include "op_seek.h"
#include "pairing.h"
#include "playing.h"
#include "pool/challenge.h"
#include "pool/pool.h"
#include "pool/teams.h"
#include "rows/state.h"
#include "waiting/named.h"
#include "waiting/said.h"
#include "waiting/told.h"
#include "waiting/waiting.h"
#include <errno.h>
#include <hub/config.h>
#include <hub/kernel.h>
#include <stdlib.h>
#include <string.h>

enum { SESSION_DIGITS = POOL_ID_DIGITS };

/* What they are rated is not known yet: it is looked up when the seek is said again. */
bool seeks_restore(struct hub *hub, const struct seek_row *row)
{
    const size_t len = strlen(row->apart);
    char *apart = malloc(len + 1);
    if (!apart)
        return false;
    memcpy(apart, row->apart, len + 1);
    waiting_keep(&desk_of(hub)->seeks, &desk_of(hub)->ledger, row, apart);
    return true;
}

static bool read_session(const struct store_letter *letter, uint64_t *session)
{
    return letter->text_len >= SESSION_DIGITS && pool_read_id(letter->text, session);
}

/* A blank, and a number; where it goes on. NULL: there is none. */
static const char *read_number(const char *text, unsigned long long *number)
{
    char *end;
    if (!text || *text != ' ' || text[1] < '0' || text[1] > '9')
        return NULL;
    errno = 0;
    *number = strtoull(text + 1, &end, 10);
    return *end == ' ' && errno == 0 ? end : NULL;
}

/* A blank, ids, and a blank; where it goes on. `*len`: of the ids. NULL: they are none. */
static const char *read_apart(const char *text, size_t *len)
{
    if (!text || *text != ' ')
        return NULL;
    const char *end = strchr(text + 1, ' ');
    if (!end || end == text + 1)
        return NULL;
    *len = (size_t)(end - text) - 1;
    if (*len == 1 && text[1] == '-') {
        *len = 0;
        return end;
    }
    return *len % SESSION_DIGITS == 0 && *len <= SEEK_APART_BYTES &&
                   strspn(text + 1, "0123456789abcdef") == *len
               ? end
               : NULL;
}

/* What is said of who seeks. */
struct saying {
    struct seek_row row;
    struct wish_row wish;
    struct choice_row choice;
};

/* " GAME", and what is behind. */
static const char *read_game(const char *text, struct saying *saying)
{
    unsigned long long game;
    const char *at = read_number(text, &game);
    if (!at || game >= POOL_GAMES)
        return NULL;
    saying->row.game = (uint8_t)game;
    saying->choice = waiting_choice(saying->row.session, (unsigned)game);
    return at;
}

/* " GAMES REACH COMPUTERS" in its place; of the games the first one is the seek's. */
static const char *read_choice(const char *text, struct saying *saying)
{
    unsigned long long games, reach, computers;
    const char *at = read_number(read_number(read_number(text, &games), &reach), &computers);
    if (!at || games == 0 || games >= 1U << POOL_GAMES || reach > WAITING_REACH_MAX ||
        computers > 1)
        return NULL;
    while (!(games >> saying->row.game & 1))
        saying->row.game++;
    saying->choice = (struct choice_row){.session = saying->row.session,
                                         .reach = (uint16_t)reach,
                                         .games = (uint8_t)games,
                                         .computers = (uint8_t)computers};
    return at;
}

/* " SIZES APART HANDLE NAME"; APART is `len` bytes of it. */
static bool read_seek_text(const char *text, struct seek_row *row, size_t *len)
{
    unsigned long long sizes = 0;
    const char *apart = read_number(text, &sizes);
    const char *at = read_apart(apart, len);
    const char *name = at ? strchr(at + 1, ' ') : NULL;
    if (!name || sizes >= 1U << (POOL_SIZE_MAX + 1) ||
        !handle_valid(at + 1, (size_t)(name - at) - 1) || strlen(name + 1) >= sizeof row->name)
        return false;
    row->sizes = (uint8_t)sizes;
    row->apart = apart + 1;
    memcpy(row->handle, at + 1, (size_t)(name - at) - 1);
    memcpy(row->name, name + 1, strlen(name + 1) + 1);
    return true;
}

/* " -" or a blank and an id, and a blank; where it goes on. */
static const char *read_with(const char *text, uint64_t *with)
{
    if (!text || *text != ' ')
        return NULL;
    *with = 0;
    if (text[1] == '-')
        return text[2] == ' ' ? text + 2 : NULL;
    return strlen(text) > SESSION_DIGITS + 1 && text[SESSION_DIGITS + 1] == ' ' &&
                   pool_read_id(text + 1, with)
               ? text + SESSION_DIGITS + 1
               : NULL;
}

/* " SOURCE CLOCKS WITH", and what is behind. */
static const char *read_wish(const char *text, struct wish_row *wish)
{
    unsigned long long source, clocks;
    const char *at = read_with(read_number(read_number(text, &source), &clocks), &wish->with);
    if (!at || clocks == 0 || clocks >= 1U << WAITING_CLOCKS || wish->with == wish->session)
        return NULL;
    wish->source = source;
    wish->clocks = (uint8_t)clocks;
    return at;
}

/* " DEVICE YOUNG", and what is behind. */
static const char *read_device(const char *text, struct wish_row *wish)
{
    unsigned long long device, young;
    const char *at = read_number(read_number(text, &device), &young);
    if (!at || device > UINT32_MAX || young > 1)
        return NULL;
    wish->device = (uint32_t)device;
    wish->young = young;
    return at;
}

static bool is_of_kind(const struct store_letter *letter, const char *one, const char *other)
{
    return strcmp(letter->kind, one) == 0 || strcmp(letter->kind, other) == 0;
}

/* As send_search writes it; of the version before there is nothing beside. */
static bool read_letter(const struct store_letter *letter, struct saying *saying, size_t *len)
{
    *saying = (struct saying){.row = {.kind = ACCOUNT_PERSON}};
    if (!read_session(letter, &saying->row.session))
        return false;
    const char *at = letter->text + SESSION_DIGITS;
    saying->wish = (struct wish_row){.session = saying->row.session, .clocks = 1 << WAITING_NORMAL};
    saying->wish.young = strcmp(letter->kind, young_letter) == 0;
    if (is_of_kind(letter, device_letter, device_choice_letter))
        at = read_device(at, &saying->wish);
    if (strcmp(letter->kind, seek_letter) != 0)
        at = read_wish(at, &saying->wish);
    at = is_of_kind(letter, choice_letter, device_choice_letter) ? read_choice(at, saying)
                                                                 : read_game(at, saying);
    return read_seek_text(at, &saying->row, len);
}

struct seeking {
    struct kernel_change change;
    struct saying saying; /* a wish of no session: it and the choice are as they are */
    char *apart;          /* what the row borrows */
    bool tells;           /* whom they want to play with */
};

static void destroy_seeking(struct kernel_change *change)
{
    free(((struct seeking *)(void *)change)->apart);
    free(change);
}

static void become_seek(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)session;
    struct desk *desk = desk_of(hub);
    struct seeking *seeking = (struct seeking *)(void *)change;
    const struct saying *saying = &seeking->saying;
    const uint64_t id = saying->row.session;
    waiting_end_change(&desk->seeks, id);
    waiting_keep(&desk->seeks, &desk->ledger, &saying->row, seeking->apart);
    seeking->apart = NULL;
    if (saying->wish.session) {
        waiting_wish(&desk->seeks, &saying->wish);
        waiting_choose(&desk->seeks, &desk->ledger, &saying->choice);
    }
    if (seeking->tells)
        named_knows(&desk->seeks.named, id, saying->wish.with, saying->row.said_ms);
}

static void end_seek(struct hub *hub, struct session *session, struct kernel_change *change)
{
    struct seeks *seeks = &desk_of(hub)->seeks;
    const uint64_t id = ((struct seeking *)(void *)change)->saying.row.session;
    (void)session;
    waiting_end_change(seeks, id);
    waiting_forget(seeks, id);
}

/* It stays as it is in memory. */
static void keep_seek(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)session;
    waiting_end_change(&desk_of(hub)->seeks,
                       ((struct seeking *)(void *)change)->saying.row.session);
}

static const struct kernel_change_type seek_type = {.carry_out = become_seek,
                                                    .undo = keep_seek,
                                                    .destroy = destroy_seeking},
                                       unseek_type = {.carry_out = end_seek,
                                                      .undo = keep_seek,
                                                      .destroy = destroy_seeking};

static bool tells_with(const struct hub *hub, const struct saying *saying)
{
    return saying->wish.with &&
           named_is_to_know(&desk_of(hub)->seeks.named, saying->row.session, saying->wish.with,
                            kernel_config(hub)->seek_ms, saying->row.said_ms);
}

/* `len`: of the ids that the row has, and to which it points. One change of a seek at a time, as
 * each is made of what is in memory. False: not now. */
static bool change_seek(struct hub *hub, const struct kernel_change_type *type,
                        struct saying *saying, size_t len)
{
    struct seeks *seeks = &desk_of(hub)->seeks;
    struct seek_row *row = &saying->row;
    if (!waiting_may_change(seeks, row->session))
        return false;
    struct seeking *seeking = calloc(1, sizeof *seeking);
    char *apart = calloc(1, len + 1);
    if (!seeking || !apart) {
        free(seeking);
        free(apart);
        return false;
    }
    if (len > 0)
        memcpy(apart, row->apart, len);
    row->apart = apart;
    *seeking = (struct seeking){{type}, *saying, apart, tells_with(hub, saying)};
    waiting_begin_change(seeks, row->session, type == &seek_type, saying->wish.source);
    kernel_change_hub(hub, &seeking->change);
    return true;
}

/* As many of one address as may, or of a network, each of which has four times what the next
 * narrower one has? Those who have a place keep it. */
static bool is_crowded(const struct hub *hub, const struct wish_row *wish)
{
    enum { WIDER = 4 };
    const struct seeks *seeks = &desk_of(hub)->seeks;
    int64_t most = kernel_config(hub)->seeks_per_address;
    if (wish->source == 0 || waiting_find(seeks, wish->session) < seeks->count)
        return false;
    for (unsigned width = 0; width < KERNEL_WIDTHS; width++, most *= WIDER) {
        if ((int64_t)waiting_of_source(seeks, wish, width) >= most)
            return true;
    }
    return false;
}

/* NULL: they may seek; or what they are told. */
static const char *why_no_place(const struct hub *hub, const struct wish_row *wish)
{
    if (!waiting_has_place(&desk_of(hub)->seeks, wish->session))
        return "full";
    return is_crowded(hub, wish) ? "crowd" : NULL;
}

/* Do they wait already, for just that? Then they know how far it is looked. */
static bool waits_so(const struct seeks *seeks, size_t at, const struct saying *saying)
{
    const struct choice_row *choice = &saying->choice;
    return at < seeks->count && seeks->rows[at].sizes == saying->row.sizes &&
           seeks->choices[at].games == choice->games && seeks->choices[at].reach == choice->reach;
}

/* Whom they want to play with, or they themselves: one of both. */
static void tell_of_seek(struct hub *hub, const struct saying *saying, bool waits_so)
{
    if (tells_with(hub, saying)) {
        told_challenged(hub, &saying->row, &saying->wish);
    } else if (!saying->wish.with && !waits_so) {
        const struct ticket ticket =
            waiting_ticket(&desk_of(hub)->ledger, &saying->row, &saying->choice);
        told_waiting(hub, &ticket);
    }
}

/* What they have said before counts no more, if it comes yet. */
static enum letter_fate note_said(struct hub *hub, const struct store_letter *letter,
                                  uint64_t session)
{
    said_at(&desk_of(hub)->seeks.said, session, letter->at_ms);
    return LETTER_APPLIED;
}

enum letter_fate seek_apply(struct hub *hub, const struct store_letter *letter)
{
    const struct seeks *seeks = &desk_of(hub)->seeks;
    struct saying saying;
    struct seek_row *row = &saying.row;
    size_t len;
    if (!read_letter(letter, &saying, &len))
        return LETTER_REFUSED;
    if (said_since(&seeks->said, row->session, letter->at_ms))
        return LETTER_APPLIED;
    if (!waiting_may_change(seeks, row->session))
        return LETTER_LATER;
    const size_t at = waiting_find(seeks, row->session);
    if (kernel_now_ms(hub) - letter->at_ms > kernel_config(hub)->seek_ms)
        return LETTER_APPLIED;         /* long ago */
    if (waiting_is_offered(seeks, at)) /* they are at a table, or were until a moment ago */
        return offer_waits(hub, at) ? LETTER_APPLIED : LETTER_LATER;
    const bool plays = playing_has_place(hub, row->session);
    if (plays && kernel_now_ms(hub) - letter->at_ms < SEEK_TIMEOUT_MS)
        return LETTER_LATER;
    const char *why = plays ? "playing" : why_no_place(hub, &saying.wish);
    if (why) {
        told_seeking(hub, row->session, why);
        return note_said(hub, letter, row->session);
    }
    row->said_ms = kernel_now_ms(hub);
    row->since_ms = at < seeks->count ? seeks->rows[at].since_ms : row->said_ms;
    const bool waits_on = waits_so(seeks, at, &saying);
    if (!change_seek(hub, &seek_type, &saying, len))
        return LETTER_LATER;
    waiting_put_rows(hub, row, &saying.wish, &saying.choice);
    tell_of_seek(hub, &saying, waits_on);
    return note_said(hub, letter, row->session);
}

enum letter_fate unseek_apply(struct hub *hub, const struct store_letter *letter)
{
    struct saying saying = {.row = {.session = 0}};
    uint64_t *session = &saying.row.session;
    struct seeks *seeks = &desk_of(hub)->seeks;
    if (letter->text_len != SESSION_DIGITS || !read_session(letter, session))
        return LETTER_REFUSED;
    if (said_since(&seeks->said, *session, letter->at_ms))
        return LETTER_APPLIED;
    const size_t at = waiting_find(seeks, *session);
    if (waiting_is_offered(seeks, at) && !offer_waits(hub, at))
        return LETTER_LATER; /* as a seek before it, which would come back */
    if (playing_has_place(hub, *session) && kernel_now_ms(hub) - letter->at_ms < SEEK_TIMEOUT_MS)
        return LETTER_LATER; /* the same */
    if (waiting_is_offered(seeks, at)) {
        seeks->offers[at].declined = true;
        return note_said(hub, letter, *session);
    }
    if (!change_seek(hub, &unseek_type, &saying, 0))
        return LETTER_LATER;
    waiting_drop_rows(hub, *session);
    return note_said(hub, letter, *session);
}

/* ---- who has blocked somebody while they seek */

/* The ids of a seek, with that one or without it. */
static size_t with_apart(const char *apart, const char *id, bool blocks,
                         char changed[static SEEK_APART_BYTES + 1])
{
    size_t len = 0;
    for (; *apart; apart += SESSION_DIGITS) {
        if (memcmp(apart, id, SESSION_DIGITS) == 0)
            continue;
        memcpy(changed + len, apart, SESSION_DIGITS);
        len += SESSION_DIGITS;
    }
    if (blocks && len < SEEK_APART_BYTES) {
        memcpy(changed + len, id, SESSION_DIGITS);
        len += SESSION_DIGITS;
    }
    return len;
}

/* "SESSION 1 OTHER", or 0, as seek_tell_apart writes it. */
enum letter_fate apart_apply(struct hub *hub, const struct store_letter *letter)
{
    enum { BLOCKS_AT = SESSION_DIGITS + 1, OTHER_AT = BLOCKS_AT + 2 };
    const struct seeks *seeks = &desk_of(hub)->seeks;
    char changed[SEEK_APART_BYTES + 1];
    uint64_t session, other;
    if (letter->text_len != OTHER_AT + SESSION_DIGITS || !read_session(letter, &session) ||
        !pool_read_id(letter->text + OTHER_AT, &other))
        return LETTER_REFUSED;
    if (!waiting_may_change(seeks, session))
        return LETTER_LATER;
    const size_t at = waiting_find(seeks, session);
    if (at == seeks->count)
        return LETTER_APPLIED;
    struct saying saying = {.row = seeks->rows[at]};
    const size_t len = with_apart(saying.row.apart, letter->text + OTHER_AT,
                                  letter->text[BLOCKS_AT] == '1', changed);
    saying.row.apart = changed;
    if (!change_seek(hub, &seek_type, &saying, len))
        return LETTER_LATER;
    kernel_put_row(hub, &seek_table, &saying.row);
    return LETTER_APPLIED;
}

/* ---- time */

static int64_t first_end_ms(const struct hub *hub, const struct seeks *seeks)
{
    int64_t end_ms = INT64_MAX;
    for (size_t at = 0; at < seeks->count; at++) {
        const int64_t own_ms = seeks->rows[at].said_ms + kernel_config(hub)->seek_ms;
        end_ms = own_ms < end_ms ? own_ms : end_ms;
    }
    return end_ms;
}

/* One that is over may have to wait for the store, and is not looked at again at once. */
int64_t seeks_deadline_ms(const struct hub *hub)
{
    const struct seeks *seeks = &desk_of(hub)->seeks;
    const int64_t look_ms = seeks->looked_ms + SEEK_TICK_MS;
    int64_t end_ms;
    if (seeks->count == 0)
        return INT64_MAX;
    if (seeks->count > 1 || seeks->tickets[0].leaves)
        return look_ms;
    end_ms = first_end_ms(hub, seeks);
    return end_ms > look_ms ? end_ms : look_ms;
}

/* False: not now. */
static bool end_one(struct hub *hub, const struct seek_row *row)
{
    struct saying saying = {.row = *row};
    if (kernel_may_store(hub, SEEK_OPS) != PROTOCOL_OK || kernel_reserve(hub, SEEK_OPS, 1) < 0 ||
        !change_seek(hub, &unseek_type, &saying, 0))
        return false;
    waiting_drop_rows(hub, saying.row.session);
    return true;
}

static void end_old(struct hub *hub)
{
    struct seeks *seeks = &desk_of(hub)->seeks;
    for (size_t at = 0; at < seeks->count; at++) {
        const struct ticket *ticket = &seeks->tickets[at];
        if (ticket->leaves || ticket->changes ||
            seeks->rows[at].said_ms + kernel_config(hub)->seek_ms > kernel_now_ms(hub))
            continue;
        if (!end_one(hub, &seeks->rows[at]))
            return;
    }
}

/* ---- who goes together */

/* Erased while they seek. Elsewhere only their home knows; then their seat stays empty, and their
 * seek ends with the table. */
static bool is_gone(const struct hub *hub, uint64_t session)
{
    return !kernel_is_elsewhere(hub, session) && !kernel_session_find(hub, session);
}

enum found { FOUND_OPENED, FOUND_ENDED, FOUND_NOT_NOW };

/* Nobody is put at a table with somebody who is gone, or plays at another one: that seek ends, and
 * no room is opened. */
static enum found take_group(struct hub *hub, const struct group *group)
{
    const struct seeks *seeks = &desk_of(hub)->seeks;
    bool ended = false;
    for (unsigned i = 0; i < group->size; i++) {
        const struct seek_row *row = &seeks->rows[group->at[i]];
        const bool plays = playing_has_place(hub, row->session);
        if (!plays && !is_gone(hub, row->session))
            continue;
        if (!end_one(hub, row))
            return FOUND_NOT_NOW;
        if (plays)
            told_seeking(hub, row->session, "playing");
        ended = true;
    }
    return ended ? FOUND_ENDED : pairing_open(hub, group) ? FOUND_OPENED : FOUND_NOT_NOW;
}

/* Once for each group of which a seek has ended, which are no more than may be changing. */
static void open_tables(struct hub *hub)
{
    const struct seeks *seeks = &desk_of(hub)->seeks;
    enum found found;
    do {
        struct pool pool;
        struct teams teams;
        struct group group;
        struct challenges challenges;
        found = FOUND_OPENED;
        challenges_begin(&challenges, seeks);
        while (found == FOUND_OPENED && challenges_next(&challenges, &group))
            found = take_group(hub, &group);
        if (found != FOUND_OPENED)
            continue;
        teams_begin(&teams, seeks->tickets, seeks->count, kernel_now_ms(hub), seeks->work);
        while (found == FOUND_OPENED && teams_next(&teams, &group))
            found = take_group(hub, &group);
        if (found != FOUND_OPENED)
            continue;
        pool_begin(&pool, seeks->tickets, seeks->count, kernel_now_ms(hub), seeks->work);
        while (found == FOUND_OPENED && pool_next(&pool, &group))
            found = take_group(hub, &group);
    } while (found == FOUND_ENDED);
}

void seeks_tick(struct hub *hub)
{
    struct seeks *seeks = &desk_of(hub)->seeks;
    const int64_t now_ms = kernel_now_ms(hub);
    if (seeks->count == 0 || now_ms < seeks->looked_ms + SEEK_TICK_MS)
        return;
    seeks->looked_ms = now_ms;
    if (kernel_may_store(hub, 1) != PROTOCOL_OK)
        desk_of(hub)->failed_ms = now_ms;
    end_old(hub);
    playing_look(hub);
    offers_look(hub);
    open_tables(hub);
}
