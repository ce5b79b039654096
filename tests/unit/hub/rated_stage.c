#include "rated_stage.h"

#include "operator.h"
#include <check.h>
#include <hub/kernel.h>
#include <identity/identity.h>
#include <protocol/encoding.h>
#include <rating/ledger.h>
#include <ratings/ratings.h>
#include <string.h>

static const struct feature *const features[] = {&feature_identity, &feature_ratings, NULL};
struct table rated_table;
uint64_t rated_ids[RATING_SEATS];

void rated_setup(void)
{
    world_init(&home);
    home.env.features = features;
    operator_init(&home);
    world_start(&home);
    memset(rated_ids, 0, sizeof rated_ids);
}

void rated_teardown(void)
{
    world_release(&home);
}

void rated_restart(void)
{
    world_restart(&home);
    memset(rated_ids, 0, sizeof rated_ids);
}

/* ---- a match */

void rated_begin(unsigned players, const char *class)
{
    static const char *const names[] = {"Ana", "Bo", "Chi", "Dee", "Eva"};
    struct kernel_room_plan plan = {.rated = class};
    struct request create;
    struct refusal refusal;
    request_init(&create, 1, REQUEST_CREATE);
    create.fields = REQUEST_OPTIONS;
    create.options = json_pack("{s:i}", "players", (int)players);
    plan.create = &create;
    rated_table.players = (int)players;
    for (unsigned i = 0; i < players; i++) {
        if (!home.tabs[rated_table.tabs[i]].link.open || rated_ids[i] == 0)
            rated_table.tabs[i] = world_guest(&home, names[i]);
        rated_ids[i] = site_session(&home, rated_table.tabs[i]);
        plan.seat[i] = (struct kernel_seat){.session = rated_ids[i], .name = names[i]};
    }
    plan.host = rated_ids[0];
    ck_assert(kernel_open_room(home.hub, &plan, rated_table.room, &refusal));
    request_release(&create);
    world_settle(&home);
    for (unsigned i = 0; i < players; i++)
        world_do(&home, rated_table.tabs[i], "join", "{s:s}", "room", rated_table.room);
    world_begin(&home, &rated_table);
}

void rated_play_some(void)
{
    for (int move = 0; move < 16; move++)
        ck_assert_int_ge(world_move(&home, &rated_table), 0);
}

void rated_end(void)
{
    for (int i = rated_table.players - 1; i > 1; i--)
        world_do(&home, rated_table.tabs[i], "resign", "{s:s}", "room", rated_table.room);
    (void)world_post(&home, rated_table.tabs[1], "resign", "{s:s}", "room", rated_table.room);
}

void rated_play(unsigned players, const char *class)
{
    rated_begin(players, class);
    rated_play_some();
    rated_end();
    world_settle(&home);
}

size_t rated_lines(void)
{
    return model_rows(&home.store, &book_table);
}

void rated_book_is_sound(size_t count)
{
    struct hub_http_answer answer;
    struct ledger ledger;
    struct refunds refunds = {0};
    struct book_entry read;
    uint64_t ticket, got;
    ledger_init(&ledger);
    ck_assert(!hub_http_get(home.hub, "/api/book", NULL, home.now_ms, &answer, &ticket));
    world_settle(&home);
    ck_assert(hub_http_next(home.hub, &got, &answer));
    ck_assert_int_eq(answer.status, 200);
    const char *at = (const char *)answer.body, *end = at + answer.len;
    for (size_t n = 0; n < count; n++) {
        static const char head[] = "{\"hash\":\"", middle[] = "\",\"entry\":";
        uint8_t hash[BOOK_HASH_BYTES];
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        ck_assert_ptr_nonnull(stop);
        const char *digits = at + sizeof head - 1;
        const char *entry = digits + 2 * sizeof hash + sizeof middle - 1;
        ck_assert(hex_decode(hash, sizeof hash, digits, 2 * sizeof hash));
        const enum ledger_fault fault =
            ledger_audit(&ledger, &refunds, &read, entry, (size_t)(stop - entry) - 1, hash);
        ck_assert_msg(fault == LEDGER_FINE, "%s: %s", ledger_fault_text(fault), entry);
        at = stop + 1;
    }
    ck_assert_ptr_eq(at, end);
    hub_http_release(&answer);
    for (size_t row = 0; row < model_rows(&home.store, &rating_table); row++) {
        const struct rating_row *rating = model_nth(&home.store, &rating_table, row);
        const struct standing *standing = ledger_find(&ledger, rating->account, rating->class);
        const struct standing stored = standing_of(rating);
        ck_assert_ptr_nonnull(standing);
        ck_assert_uint_eq(stored.rating.strength, standing->rating.strength);
        ck_assert_uint_eq(stored.rating.deviation, standing->rating.deviation);
        ck_assert_uint_eq(stored.matches, standing->matches);
        ck_assert_uint_eq(stored.n, standing->n);
    }
    refunds_release(&refunds);
    ledger_release(&ledger);
}

/* ---- step by step */

static struct store_query query;
static bool asked, stored;

bool rated_step(void)
{
    if (home.out && !stored) {
        (void)model_commit(&home.store, home.out);
        stored = true;
    } else if (home.out) {
        home.out = NULL;
        stored = false;
        hub_batch_done(home.hub, STORE_OK, 1, home.now_ms);
    } else if (asked) {
        asked = false;
        model_query(&home.store, home.hub, &query, home.now_ms);
    } else if (hub_batch_ready(home.hub) && hub_batch_ops(home.hub) > 0) {
        home.out = hub_batch_take(home.hub);
    } else {
        asked = hub_query_take(home.hub, &query);
        return asked;
    }
    return true;
}

void rated_steps_begin(void)
{
    home.held = true;
    asked = stored = false;
}

void rated_steps_end(void)
{
    home.held = false;
    if (asked && query.release && query.owner)
        query.release(&query);
}

void rated_until_entering(size_t count)
{
    while (!(home.out && !stored && rated_lines() == count &&
             model_rows(&home.store, &store_letter_table) == 3))
        ck_assert(rated_step());
}

/* ---- from outside */

int rated_get(const char *path, char body[static 2048])
{
    struct hub_http_answer answer;
    uint64_t ticket = 0, got;
    if (!hub_http_get(home.hub, path, NULL, home.now_ms, &answer, &ticket)) {
        world_settle(&home);
        ck_assert(hub_http_next(home.hub, &got, &answer));
    }
    ck_assert_uint_lt(answer.len, 2048);
    memcpy(body, answer.body, answer.len);
    body[answer.len] = '\0';
    const int status = answer.status;
    hub_http_release(&answer);
    return status;
}

void rated_send_letter(uint64_t addressee, const char *kind, const char *text)
{
    const struct kernel_letter letter = {
        .addressee = addressee, .kind = kind, .text = text, .text_len = strlen(text)};
    ck_assert_int_eq(kernel_send_letter(home.hub, &letter), 0);
    world_settle(&home);
}
