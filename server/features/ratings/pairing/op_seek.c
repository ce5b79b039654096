#include "op_seek.h"

#include "rows/state.h"
#include "waiting/conduct.h"
#include "waiting/waiting.h"
#include <hub/bucket.h>
#include <hub/call.h>
#include <hub/config.h>
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <hub/kernel_query.h>
#include <hub/store_query.h>
#include <inttypes.h>
#include <jansson.h>
#include <protocol/encoding.h>
#include <protocol/request.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char young_letter[] = "ratings.young", device_letter[] = "ratings.device",
           device_choice_letter[] = "ratings.device_choice";
const char search_letter[] = "ratings.search", choice_letter[] = "ratings.choice",
           seek_letter[] = "ratings.seek", unseek_letter[] = "ratings.unseek",
           apart_letter[] = "ratings.apart";

/* Is each size played in one of the games, and each game in one of the sizes? */
static bool are_played(unsigned games, unsigned sizes)
{
    unsigned played = 0;
    for (unsigned game = 0; game < POOL_GAMES; game++) {
        unsigned own = 0;
        for (unsigned size = POOL_TEAMS; size <= POOL_SIZE_MAX; size++) {
            if (games >> game & 1 && waiting_class(game, size))
                own |= sizes & 1U << size;
        }
        if (games >> game & 1 && own == 0)
            return false;
        played |= own;
    }
    return played == sizes;
}

/* [2, 3]: as bits, and of teams; 0: it is no such list. Without either two play. */
static uint8_t read_sizes(const json_t *list, const json_t *teams, unsigned games)
{
    const json_t *size;
    unsigned sizes = json_is_true(teams) ? 1U << POOL_TEAMS : 0;
    size_t at;
    if ((list && !json_array_size(list)) || (teams && !json_is_boolean(teams)))
        return 0;
    json_array_foreach(list, at, size)
    {
        const json_int_t players = json_integer_value(size);
        if (players < POOL_SIZE_MIN || players > POOL_SIZE_MAX)
            return 0;
        sizes |= 1U << players;
    }
    sizes = list || sizes ? sizes : 1U << POOL_SIZE_MIN;
    return are_played(games, sizes) ? (uint8_t)sizes : 0;
}

static unsigned find_game(const char *name)
{
    unsigned game = 0;
    while (game < POOL_GAMES && (!name || strcmp(waiting_game(game), name) != 0))
        game++;
    return game;
}

/* ["taluva", "totem"]: as bits; 0: it is no such list. */
static uint8_t read_games(const json_t *list)
{
    const json_t *name;
    unsigned games = 0;
    size_t at;
    json_array_foreach(list, at, name)
    {
        const unsigned game = find_game(json_string_value(name));
        if (game == POOL_GAMES)
            return 0;
        games |= 1U << game;
    }
    return (uint8_t)games;
}

/* ["normal", "calm"]: the same. Without one the normal clock. */
static uint8_t read_clocks(const json_t *list)
{
    const json_t *name;
    unsigned clocks = 0;
    size_t at;
    json_array_foreach(list, at, name)
    {
        const char *text = json_string_value(name);
        unsigned clock = 0;
        while (clock < WAITING_CLOCKS &&
               (!text || strcmp(waiting_clock_name((enum waiting_clock)clock), text) != 0))
            clock++;
        if (clock == WAITING_CLOCKS)
            return 0;
        clocks |= 1U << clock;
    }
    return (uint8_t)(list ? clocks : 1U << WAITING_NORMAL);
}

/* What is said to the desk. */
struct search {
    struct kernel_kept kept;
    struct seek_row row;
    struct wish_row wish;
    struct choice_row choice;
};

/* 200: points. False: it is no such number. Without it there is none. */
static bool read_reach(const json_t *range, uint16_t *reach)
{
    const json_int_t points = json_integer_value(range);
    if (range && (points < POOL_REACH_MIN || points > WAITING_REACH_MAX))
        return false;
    *reach = (uint16_t)points;
    return true;
}

/* At tables of more than two, each of them for themselves. */
static bool read_computers(const json_t *computers, unsigned sizes, uint8_t *taken)
{
    *taken = json_is_true(computers);
    return !computers ||
           (json_is_boolean(computers) && (!*taken || sizes >> (POOL_SIZE_MIN + 1) != 0));
}

/* Those who name each other are two, however far apart, or partners, and know of which game. */
static bool may_name(const struct search *search)
{
    return search->choice.games == 1U << search->row.game &&
           ((search->row.sizes == 1U << POOL_SIZE_MIN && search->choice.reach == 0) ||
            search->row.sizes == 1U << POOL_TEAMS);
}

static unsigned count_members(const json_t *object, const char *const names[])
{
    unsigned count = 0;
    for (; *names; names++)
        count += json_object_get(object, *names) != NULL;
    return count;
}

static bool read_options(const struct request *request, struct search *search)
{
    static const char *const known[] = {"sizes", "clocks",    "teams", "games",
                                        "range", "computers", NULL};
    const json_t *options = request_has(request, REQUEST_OPTIONS) ? request->options : NULL;
    const json_t *games = json_object_get(options, "games");
    struct choice_row *choice = &search->choice;
    if (games)
        choice->games = request_has(request, REQUEST_GAME) ? 0 : read_games(games);
    while (choice->games && !(choice->games >> search->row.game & 1)) /* the first of them */
        search->row.game++;
    search->row.sizes = choice->games ? read_sizes(json_object_get(options, "sizes"),
                                                   json_object_get(options, "teams"), choice->games)
                                      : 0;
    search->wish.clocks = read_clocks(json_object_get(options, "clocks"));
    return search->row.sizes != 0 && search->wish.clocks != 0 &&
           read_reach(json_object_get(options, "range"), &choice->reach) &&
           read_computers(json_object_get(options, "computers"), search->row.sizes,
                          &choice->computers) &&
           json_object_size(options) == count_members(options, known) &&
           (!request_has(request, REQUEST_HANDLE) || may_name(search));
}

/* False: the call is refused. */
static bool read_seek(const struct call *call, struct search *search)
{
    const struct request *request = call->request;
    const struct protocol_account *account = kernel_account(call->session);
    struct seek_row *row = &search->row;
    const unsigned game = request_has(request, REQUEST_GAME) ? find_game(request->game) : 0;
    if (!account || account->kind != ACCOUNT_PERSON) {
        call_error(call, PROTOCOL_ACCOUNT_NEEDED, NULL);
        return false;
    }
    *search = (struct search){.row = {.kind = (uint8_t)account->kind},
                              .choice = waiting_choice(kernel_session_id(call->session), game)};
    if (game == POOL_GAMES || !read_options(request, search)) {
        call_error(call, game < POOL_GAMES ? PROTOCOL_BAD_OPTIONS : PROTOCOL_UNKNOWN_GAME, NULL);
        return false;
    }
    search->wish.source = kernel_is_local(call) ? 0 : kernel_source(call);
    /* In a trial all are on the machine itself. */
    if (request_has(request, REQUEST_DEVICE) &&
        (request_has(request, REQUEST_HANDLE) || !kernel_is_local(call)))
        search->wish.device = device_decode(request->device);
    (void)snprintf(row->handle, sizeof row->handle, "%s", account->handle);
    (void)snprintf(row->name, sizeof row->name, "%s", kernel_session_name(call->session));
    return true;
}

static void change_nothing(struct hub *hub, struct session *session, struct kernel_change *change)
{
    (void)hub, (void)session, (void)change;
}

static void destroy_change(struct kernel_change *change)
{
    free(change);
}

static const struct kernel_change_type sent_type = {.carry_out = change_nothing,
                                                    .destroy = destroy_change};

/* Answers when the letter is durable. */
static void send_letter(struct call *call, const char *kind, const char *text)
{
    struct kernel_letter letter = {.addressee = LETTER_TO_DESK,
                                   .kind = kind,
                                   .text = text,
                                   .text_len = strlen(text),
                                   .session = kernel_session_id(call->session)};
    enum protocol_error error = kernel_may_store(call->hub, 1);
    struct kernel_change *change = NULL;
    struct reply reply;
    if (error == PROTOCOL_OK && kernel_session_is_changing(call->session))
        error = PROTOCOL_SLOW_DOWN;
    if (error == PROTOCOL_OK && kernel_reserve(call->hub, 1, SEEK_TEXT) == 0)
        change = calloc(1, sizeof *change);
    if (error == PROTOCOL_OK && (!change || kernel_send_letter(call->hub, &letter) < 0))
        error = PROTOCOL_INTERNAL;
    if (error != PROTOCOL_OK) {
        free(change);
        call_error(call, error, NULL);
        return;
    }
    change->type = &sent_type;
    call_reply_begin(call, &reply);
    if (kernel_change_answered(call, call->session, &reply, change) < 0) {
        free(change);
        call_error(call, PROTOCOL_INTERNAL, NULL);
    }
}

/* Ids one behind the other; "-": none. */
static void write_apart(const struct call *call, char apart[static SEEK_APART_BYTES + 1])
{
    uint64_t others[KERNEL_BLOCKS_MAX];
    const size_t count = kernel_blocks(call->hub, call->session, others);
    memcpy(apart, "-", 2);
    for (size_t at = 0; at < count; at++)
        (void)snprintf(apart + at * POOL_ID_DIGITS, POOL_ID_DIGITS + 1, "%016" PRIx64, others[at]);
}

/* Of a pair: their desk does not know when accounts began. */
static bool is_young(const struct call *call, const struct search *search)
{
    const int64_t since_ms = kernel_account_since_ms(call->hub, call->session);
    return search->wish.with != 0 && search->row.sizes == 1U << POOL_SIZE_MIN &&
           kernel_now_ms(call->hub) < since_ms + kernel_config(call->hub)->challenge_age_ms;
}

/* Who names somebody has chosen nothing beside, but for partners. */
static const char *kind_of(const struct call *call, const struct search *search, bool plain)
{
    if (search->wish.device)
        return plain ? device_letter : device_choice_letter;
    if (!plain)
        return choice_letter;
    return is_young(call, search) ? young_letter : search_letter;
}

static void send_search(struct call *call, const struct search *search)
{
    const struct seek_row *row = &search->row;
    const struct choice_row *choice = &search->choice;
    const bool plain = waiting_is_plain(choice, row->game);
    const char *kind = kind_of(call, search, plain);
    char text[SEEK_TEXT], apart[SEEK_APART_BYTES + 1], with[POOL_ID_DIGITS + 1] = "-", chosen[32];
    char device[32] = "";
    write_apart(call, apart);
    if (search->wish.device)
        (void)snprintf(device, sizeof device, " %" PRIu32 " %d", search->wish.device,
                       is_young(call, search));
    if (search->wish.with)
        (void)snprintf(with, sizeof with, "%016" PRIx64, search->wish.with);
    if (plain)
        (void)snprintf(chosen, sizeof chosen, "%u", (unsigned)row->game);
    else
        (void)snprintf(chosen, sizeof chosen, "%u %u %u", (unsigned)choice->games,
                       (unsigned)choice->reach, (unsigned)choice->computers);
    (void)snprintf(text, sizeof text, "%016" PRIx64 "%s %" PRIu64 " %u %s %s %u %s %s %s",
                   kernel_session_id(call->session), device, search->wish.source,
                   (unsigned)search->wish.clocks, with, chosen, (unsigned)row->sizes, apart,
                   row->handle, row->name);
    send_letter(call, kind, text);
}

static void destroy_search(struct kernel_kept *kept)
{
    free(kept);
}

/* Whose handle it is comes first. */
static void ask_with(struct call *call, const struct search *found)
{
    _Alignas(max_align_t) unsigned char from[STORE_ROW_SIZE_MAX] = {0};
    struct kernel_query query;
    struct search *search = malloc(sizeof *search);
    if (!search || !kernel_ask_account(call->hub, call->request->handle, &query, from)) {
        free(search);
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
        return;
    }
    *search = *found;
    search->kept.destroy = destroy_search;
    query.kept = &search->kept;
    if (!call_query(call, &query)) {
        free(search);
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
    }
}

static struct bucket_rule seeks_rule(const struct hub *hub)
{
    enum { MINUTE_MS = 60000 };
    const struct hub_config *config = kernel_config(hub);
    return (struct bucket_rule){config->seeks_burst, config->seeks_per_min, MINUTE_MS};
}

static struct bucket *seeks_of(const struct hub *hub, const struct session *session)
{
    struct conduct *conduct = kernel_session_state(hub, &ratings_memory, session);
    return &conduct->seeks;
}

int64_t op_seek_wait_ms(const struct hub *hub, const struct session *session,
                        const struct request *request)
{
    const struct bucket_rule rule = seeks_rule(hub);
    return request->op == REQUEST_SEEK
               ? bucket_wait_ms(seeks_of(hub, session), &rule, kernel_now_ms(hub))
               : 0;
}

/* Each time the whole site's desk gets a letter, and two rows of its are written. */
static bool may_say_so(const struct call *call)
{
    const struct bucket_rule rule = seeks_rule(call->hub);
    return bucket_take(seeks_of(call->hub, call->session), &rule, kernel_now_ms(call->hub));
}

void op_seek(struct call *call)
{
    struct search search;
    if (!read_seek(call, &search))
        return;
    const int64_t until_ms = conduct_until_ms(call->hub, call->session);
    if (until_ms != 0)
        call_error_until(call, PROTOCOL_SEEK_PAUSED, until_ms);
    else if (!may_say_so(call))
        call_error(call, PROTOCOL_SLOW_DOWN, NULL);
    else if (request_has(call->request, REQUEST_HANDLE))
        ask_with(call, &search);
    else
        send_search(call, &search);
}

/* Who it is that they want to play with is here. */
static enum protocol_error find_with(const struct call *call, const struct store_query *query,
                                     uint64_t *with)
{
    struct protocol_account account;
    if (query->result != STORE_OK)
        return PROTOCOL_STORE_FAILING;
    if (query->count == 0)
        return PROTOCOL_UNKNOWN_HANDLE;
    *with = kernel_read_account(call->hub, store_query_row(query, 0), &account);
    if (*with == kernel_session_id(call->session))
        return PROTOCOL_BAD_FIELD;
    return kernel_has_blocked(call->hub, call->session, *with) ? PROTOCOL_SEAT_REFUSED
                                                               : PROTOCOL_OK;
}

void op_seek_queried(struct call *call, const struct store_query *query)
{
    struct search *search = (struct search *)(void *)call->kept;
    const enum protocol_error error = find_with(call, query, &search->wish.with);
    if (error == PROTOCOL_OK)
        send_search(call, search);
    else
        call_error(call, error, error == PROTOCOL_STORE_FAILING ? NULL : "handle");
}

int seek_tell_apart(struct hub *hub, const struct session *session, uint64_t other, bool blocks)
{
    char text[KERNEL_APART_TEXT];
    const int len = snprintf(text, sizeof text, "%016" PRIx64 " %d %016" PRIx64,
                             kernel_session_id(session), blocks, other);
    const struct kernel_letter letter = {.addressee = LETTER_TO_DESK,
                                         .kind = apart_letter,
                                         .text = text,
                                         .text_len = (size_t)len,
                                         .session = kernel_session_id(session)};
    return kernel_send_letter(hub, &letter);
}

void op_unseek(struct call *call)
{
    char text[SEEK_TEXT];
    (void)snprintf(text, sizeof text, "%016" PRIx64, kernel_session_id(call->session));
    send_letter(call, unseek_letter, text);
}
