#include "waiting.h"

#include "named.h"
#include "said.h"
#include <assert.h>
#include <hub/kernel.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const struct store_table seek_table = {
    .name = "seek",
    .what = "somebody who seeks a match",
    .number = 35,
    .size = sizeof(struct seek_row),
    .owner = STORE_OF_DESK,
    .keys = 1,
    .count = 9,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct seek_row, session)},
                {"since_ms", STORE_NUMBER, STORE_MEMBER(struct seek_row, since_ms)},
                {"said_ms", STORE_NUMBER, STORE_MEMBER(struct seek_row, said_ms)},
                {"game", STORE_NUMBER, STORE_MEMBER(struct seek_row, game), .max = POOL_GAMES - 1},
                {"sizes", STORE_NUMBER, STORE_MEMBER(struct seek_row, sizes),
                 .max = (1 << (POOL_SIZE_MAX + 1)) - 1},
                {"kind", STORE_NUMBER, STORE_MEMBER(struct seek_row, kind), .max = ACCOUNT_BOT},
                {"handle", STORE_STRING, STORE_MEMBER(struct seek_row, handle)},
                {"name", STORE_STRING, STORE_MEMBER(struct seek_row, name)},
                {"apart", STORE_LENT, STORE_MEMBER(struct seek_row, apart),
                 .max = SEEK_APART_BYTES}},
};

const struct store_table wish_table = {
    .name = "wish",
    .what = "what somebody who seeks a match has said beside",
    .number = 38,
    .size = sizeof(struct wish_row),
    .owner = STORE_OF_DESK,
    .keys = 1,
    .count = 4,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct wish_row, session)},
                {"beside", STORE_NUMBER, STORE_MEMBER(struct wish_row, with)},
                {"source", STORE_NUMBER, STORE_MEMBER(struct wish_row, source)},
                {"clocks", STORE_NUMBER, STORE_MEMBER(struct wish_row, clocks),
                 .max = (1 << WAITING_CLOCKS) - 1}},
};

const struct store_table choice_table = {
    .name = "choice",
    .what = "what somebody who seeks a match has chosen beside",
    .number = 73,
    .size = sizeof(struct choice_row),
    .owner = STORE_OF_DESK,
    .keys = 1,
    .count = 4,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct choice_row, session)},
                {"games", STORE_NUMBER, STORE_MEMBER(struct choice_row, games),
                 .max = (1 << POOL_GAMES) - 1},
                {"reach", STORE_NUMBER, STORE_MEMBER(struct choice_row, reach),
                 .max = WAITING_REACH_MAX},
                {"computers", STORE_NUMBER, STORE_MEMBER(struct choice_row, computers), .max = 1}},
};

static const struct {
    const char *name;
    uint32_t bank_s, increment_s; /* more for each turn */
} clocks[WAITING_CLOCKS] = {[WAITING_NORMAL] = {"normal", 600, 10},
                            [WAITING_FAST] = {"fast", 180, 5},
                            [WAITING_CALM] = {"calm", 1500, 20}};

const char *waiting_clock_name(enum waiting_clock clock)
{
    return clocks[clock].name;
}

struct protocol_clock waiting_clock(enum waiting_clock clock)
{
    return (struct protocol_clock){.kind = PROTOCOL_CLOCK_FISCHER,
                                   .on_timeout = PROTOCOL_TIMEOUT_ELIMINATE,
                                   .bank_s = clocks[clock].bank_s,
                                   .increment_s = clocks[clock].increment_s};
}

/* By size, from 2 on, and of teams. */
static const struct {
    const char *name, *classes[POOL_SIZE_MAX + 1];
} games[POOL_GAMES] = {
    {"taluva",
     {[POOL_TEAMS] = "taluva.team.live",
      [2] = "taluva.duel.live",
      [3] = "taluva.table.live",
      [4] = "taluva.table.live",
      [5] = "taluva.table.live"}},
    {"totem", {[2] = "totem.duel.live", [3] = "totem.table.live", [4] = "totem.table.live"}},
};

const char *waiting_game(unsigned game)
{
    return games[game].name;
}

const char *waiting_class(unsigned game, unsigned size)
{
    return games[game].classes[size];
}

const char *waiting_class_of(unsigned kind)
{
    return waiting_class(kind / (POOL_SIZE_MAX + 1), kind % (POOL_SIZE_MAX + 1));
}

/* Of those games all tables of these sizes, or of POOL_TEAMS, that are played so; bits of all. */
static uint16_t kinds_of_sizes(unsigned taken, unsigned sizes)
{
    unsigned kinds = 0;
    for (unsigned game = 0; game < POOL_GAMES; game++) {
        for (unsigned size = POOL_TEAMS; size <= POOL_SIZE_MAX; size++) {
            if (taken >> game & 1 && sizes >> size & 1 && waiting_class(game, size))
                kinds |= 1U << pool_kind(game, size);
        }
    }
    return (uint16_t)kinds;
}

struct choice_row waiting_choice(uint64_t session, unsigned game)
{
    return (struct choice_row){.session = session, .games = (uint8_t)(1U << game)};
}

bool waiting_is_plain(const struct choice_row *choice, unsigned game)
{
    return choice->games == 1U << game && choice->reach == 0 && choice->computers == 0;
}

void waiting_put_rows(struct hub *hub, const struct seek_row *row, const struct wish_row *wish,
                      const struct choice_row *choice)
{
    kernel_put_row(hub, &seek_table, row);
    kernel_put_row(hub, &wish_table, wish);
    if (waiting_is_plain(choice, row->game))
        kernel_drop_row(hub, &choice_table, choice);
    else
        kernel_put_row(hub, &choice_table, choice);
}

void waiting_drop_rows(struct hub *hub, uint64_t session)
{
    kernel_drop_row(hub, &seek_table, &(struct seek_row){.session = session});
    kernel_drop_row(hub, &wish_table, &(struct wish_row){.session = session});
    kernel_drop_row(hub, &choice_table, &(struct choice_row){.session = session});
}

/* Where in the memory of all each begins. */
struct seeks_memory {
    size_t tickets, rows, wishes, choices, offers, apart, work, met, named, said;
};

static size_t behind(size_t begin, size_t count, size_t size)
{
    const size_t end = begin + count * size, align = _Alignof(max_align_t);
    return (end + align - 1) / align * align;
}

/* One piece for all: it is so large that it comes from the system, and of what nobody has touched
 * there is nothing in memory. */
int waiting_begin(struct seeks *seeks, size_t most)
{
    struct seeks_memory part = {.tickets = 0};
    part.rows = behind(part.tickets, most, sizeof *seeks->tickets);
    part.wishes = behind(part.rows, most, sizeof *seeks->rows);
    part.choices = behind(part.wishes, most, sizeof *seeks->wishes);
    part.offers = behind(part.choices, most, sizeof *seeks->choices);
    part.apart = behind(part.offers, most, sizeof *seeks->offers);
    part.work = behind(part.apart, most, sizeof *seeks->apart);
    part.met = behind(part.work, most * POOL_WORK, sizeof *seeks->work);
    part.named = behind(part.met, SEEK_MET_MAX, sizeof *seeks->met);
    part.said = behind(part.named, NAMED_MAX, sizeof *seeks->named.list);
    char *memory = calloc(1, behind(part.said, SAID_MAX, sizeof *seeks->said.list));
    if (!memory)
        return -1;
    seeks->most = most;
    seeks->tickets = (struct ticket *)(void *)memory;
    seeks->rows = (struct seek_row *)(void *)(memory + part.rows);
    seeks->wishes = (struct wish_row *)(void *)(memory + part.wishes);
    seeks->choices = (struct choice_row *)(void *)(memory + part.choices);
    seeks->offers = (struct seek_offer *)(void *)(memory + part.offers);
    seeks->apart = (char **)(void *)(memory + part.apart);
    seeks->work = (size_t *)(void *)(memory + part.work);
    seeks->met = (struct seek_met *)(void *)(memory + part.met);
    named_begin(&seeks->named, (struct named_one *)(void *)(memory + part.named));
    said_begin(&seeks->said, (struct said_one *)(void *)(memory + part.said));
    return 0;
}

void waiting_end(struct seeks *seeks)
{
    for (size_t at = 0; at < seeks->count; at++)
        free(seeks->apart[at]);
    free(seeks->tickets); /* and with them all others */
}

size_t waiting_find(const struct seeks *seeks, uint64_t session)
{
    size_t at = 0;
    while (at < seeks->count && seeks->rows[at].session != session)
        at++;
    return at;
}

static bool is_new(const struct ledger *ledger, uint64_t session)
{
    uint32_t matches = 0;
    for (unsigned class = 0; class < RATING_CLASSES && matches < POOL_NEW_MATCHES; class ++) {
        const struct standing *standing = ledger_find(ledger, session, class + 1);
        matches += standing ? standing->matches : 0;
    }
    return matches < POOL_NEW_MATCHES;
}

static void rate_ticket(const struct ledger *ledger, struct ticket *ticket)
{
    ticket->is_new = is_new(ledger, ticket->session);
    for (unsigned kind = 0; kind < POOL_KINDS; kind++) {
        const char *class = ticket->kinds >> kind & 1 ? waiting_class_of(kind) : NULL;
        const struct standing *standing =
            class ? ledger_find(ledger, ticket->session, rating_class_find(class)) : NULL;
        ticket->rating[kind] =
            standing ? standing->rating : (struct rating){RATING_START, RATING_DEVIATION_START};
    }
}

struct ticket waiting_ticket(const struct ledger *ledger, const struct seek_row *row,
                             const struct choice_row *choice)
{
    struct ticket ticket = {.session = row->session,
                            .since_ms = row->since_ms,
                            .kinds = kinds_of_sizes(choice->games, row->sizes),
                            .reach = choice->reach,
                            .computers = choice->computers};
    rate_ticket(ledger, &ticket);
    return ticket;
}

void waiting_met(struct seeks *seeks, const uint64_t sessions[], unsigned count, int64_t now_ms)
{
    for (unsigned own = 0; own < count; own++) {
        struct seek_met *met = &seeks->met[seeks->met_next++ % SEEK_MET_MAX];
        unsigned others = 0;
        *met = (struct seek_met){.session = sessions[own], .at_ms = now_ms};
        for (unsigned other = 0; other < count; other++) {
            if (other != own)
                met->others[others++] = sessions[other];
        }
    }
}

/* The last time of them. */
static void fill_met(const struct seeks *seeks, struct ticket *ticket)
{
    for (size_t at = 0; at < SEEK_MET_MAX; at++) {
        const struct seek_met *met = &seeks->met[at];
        if (met->session != ticket->session || met->at_ms <= ticket->met_ms)
            continue;
        ticket->met_ms = met->at_ms;
        memcpy(ticket->met, met->others, sizeof ticket->met);
    }
}

static int compare_ids(const void *a, const void *b)
{
    return memcmp(a, b, POOL_ID_DIGITS);
}

void waiting_keep(struct seeks *seeks, const struct ledger *ledger, const struct seek_row *row,
                  char *apart)
{
    const size_t at = waiting_find(seeks, row->session);
    const bool is_new = at == seeks->count;
    if (at == seeks->most) {
        free(apart);
        return;
    }
    if (is_new) {
        seeks->tickets[at].leaves = false;
        seeks->offers[at] = (struct seek_offer){.until_ms = 0};
        seeks->wishes[at] =
            (struct wish_row){.session = row->session, .clocks = 1 << WAITING_NORMAL};
        seeks->choices[at] = waiting_choice(row->session, row->game);
    }
    const size_t apart_count = strlen(apart) / POOL_ID_DIGITS;
    if (apart_count > 1)
        qsort(apart, apart_count, POOL_ID_DIGITS, compare_ids);
    seeks->count += is_new;
    free(seeks->apart[at]);
    seeks->apart[at] = apart;
    seeks->rows[at] = *row;
    seeks->rows[at].apart = apart;
    const bool leaves = seeks->tickets[at].leaves;
    seeks->tickets[at] = waiting_ticket(ledger, row, &seeks->choices[at]);
    seeks->tickets[at].leaves = leaves;
    seeks->tickets[at].apart = apart;
    seeks->tickets[at].apart_count = apart_count;
    fill_met(seeks, &seeks->tickets[at]);
    waiting_wish(seeks, &seeks->wishes[at]);
}

void waiting_wish(struct seeks *seeks, const struct wish_row *wish)
{
    const size_t at = waiting_find(seeks, wish->session);
    if (at == seeks->count)
        return;
    seeks->wishes[at] = *wish;
    seeks->tickets[at].with = wish->with;
    seeks->tickets[at].source = wish->source;
    seeks->tickets[at].device = wish->device;
    seeks->tickets[at].clocks = wish->clocks;
}

void waiting_choose(struct seeks *seeks, const struct ledger *ledger,
                    const struct choice_row *choice)
{
    const size_t at = waiting_find(seeks, choice->session);
    if (at == seeks->count)
        return;
    seeks->choices[at] = *choice;
    seeks->tickets[at].reach = choice->reach;
    seeks->tickets[at].computers = choice->computers;
    seeks->tickets[at].kinds = kinds_of_sizes(choice->games, seeks->rows[at].sizes);
    rate_ticket(ledger, &seeks->tickets[at]);
}

void waiting_forget(struct seeks *seeks, uint64_t session)
{
    const size_t at = waiting_find(seeks, session);
    if (at == seeks->count)
        return;
    seeks->count--;
    free(seeks->apart[at]);
    seeks->apart[at] = seeks->apart[seeks->count];
    seeks->apart[seeks->count] = NULL;
    seeks->rows[at] = seeks->rows[seeks->count];
    seeks->tickets[at] = seeks->tickets[seeks->count];
    seeks->wishes[at] = seeks->wishes[seeks->count];
    seeks->choices[at] = seeks->choices[seeks->count];
    seeks->offers[at] = seeks->offers[seeks->count];
}

/* One who is not rated there yet is new as well. */
struct meeting_seat waiting_seat(const struct seeks *seeks, size_t at, const char *class)
{
    const struct ticket *ticket = &seeks->tickets[at];
    uint32_t deviation = RATING_DEVIATION_START;
    for (unsigned kind = 0; kind < POOL_KINDS; kind++) {
        if (ticket->kinds >> kind & 1 && strcmp(waiting_class_of(kind), class) == 0)
            deviation = ticket->rating[kind].deviation;
    }
    return (struct meeting_seat){.account = ticket->session,
                                 .is_new = deviation > MEETINGS_NEWCOMER_DEVIATION};
}

/* ---- changes under way */

static size_t find_change(const struct seeks *seeks, uint64_t session)
{
    size_t at = 0;
    while (at < seeks->changing_count && seeks->changing[at].session != session)
        at++;
    return at;
}

static void mark_ticket(struct seeks *seeks, uint64_t session, bool changes)
{
    const size_t at = waiting_find(seeks, session);
    if (at < seeks->count)
        seeks->tickets[at].changes = changes;
}

bool waiting_is_offered(const struct seeks *seeks, size_t at)
{
    return at < seeks->count && seeks->offers[at].room[0];
}

/* At a table already, or not sure to be. */
static bool is_being_seated(const struct seeks *seeks, size_t at)
{
    return at < seeks->count && seeks->tickets[at].leaves &&
           (!waiting_is_offered(seeks, at) || seeks->offers[at].ends);
}

bool waiting_may_change(const struct seeks *seeks, uint64_t session)
{
    return !is_being_seated(seeks, waiting_find(seeks, session)) &&
           seeks->changing_count < SEEK_CHANGES_MAX &&
           find_change(seeks, session) == seeks->changing_count;
}

bool waiting_has_place(const struct seeks *seeks, uint64_t session)
{
    size_t taken = seeks->count;
    if (waiting_find(seeks, session) < seeks->count)
        return true;
    for (size_t at = 0; at < seeks->changing_count; at++)
        taken += seeks->changing[at].comes;
    return taken < seeks->most;
}

static bool is_near(uint64_t source, const struct wish_row *wish, unsigned width)
{
    return source != 0 && kernel_source_is_near(source, wish->source, width);
}

size_t waiting_of_source(const struct seeks *seeks, const struct wish_row *wish, unsigned width)
{
    size_t others = 0;
    for (size_t at = 0; at < seeks->count; at++)
        others += is_near(seeks->wishes[at].source, wish, width);
    for (size_t at = 0; at < seeks->changing_count; at++)
        others += seeks->changing[at].comes && is_near(seeks->changing[at].source, wish, width);
    return others;
}

void waiting_begin_change(struct seeks *seeks, uint64_t session, bool comes, uint64_t source)
{
    assert(waiting_may_change(seeks, session));
    seeks->changing[seeks->changing_count++] =
        (struct seek_changing){.session = session,
                               .source = source,
                               .comes = comes && waiting_find(seeks, session) == seeks->count};
    mark_ticket(seeks, session, true);
}

void waiting_end_change(struct seeks *seeks, uint64_t session)
{
    const size_t at = find_change(seeks, session);
    assert(at < seeks->changing_count);
    seeks->changing[at] = seeks->changing[--seeks->changing_count];
    mark_ticket(seeks, session, false);
}
