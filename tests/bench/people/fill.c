/*
 * Makes a store of many accounts and what they have played: taluva-people-fill STORE ACCOUNTS
 * MATCHES, of which STORE is an empty folder or the URL of an empty database.
 *
 * Account number N, from 0, has the handle pN, and a device whose token is the number in its last
 * eight bytes, the highest first, behind zeros. Of matches there is what profiles and the archive
 * show, with the sums; there are no rooms to open, as of ones that were played in a browser.
 */
#include <account_table.h>
#include <archive_table.h>
#include <base/program.h>
#include <base/rng.h>
#include <handle.h>
#include <hub/secret.h>
#include <hub/store.h>
#include <identity/credential_table.h>
#include <postgres/store.h>
#include <protocol/encoding.h>
#include <registry/registry.h>
#include <semaphore.h>
#include <sodium.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <store/store.h>
#include <string.h>
#include <sysexits.h>
#include <tally.h>

enum { OPS = 4096, ROWS_OF_ACCOUNT = 4, SEATS_MAX = 4, KINDS = 3, MINUTE_MS = 60000 };
static const int64_t begin_ms = 1700000000000;
static const char options[] = "{\"preset\":\"classic\",\"players\":2,\"tiles\":48,\"huts\":\"20\","
                              "\"first\":\"drawn\",\"teams\":false,\"ranking\":false}";

union row {
    struct credential_row credential;
    struct account_row account;
    struct tally_row tally;
    struct archive_row archive;
};

struct filling {
    struct store *store;
    size_t count;
    struct store_op ops[OPS];
    union row rows[OPS];
    enum store_result results[OPS];
};

static void fail(const char *why)
{
    fprintf(stderr, "taluva-people-fill: %s\n", why);
    exit(EX_IOERR);
}

/* ---- the store */

static int take_opened(void *ctx, uint64_t epoch)
{
    (void)ctx, (void)epoch;
    return 0;
}

static int take_session(void *ctx, const struct store_session *session)
{
    (void)ctx, (void)session;
    return -1; /* it is not empty */
}

static int take_known(void *ctx, const struct store_session *session)
{
    (void)ctx, (void)session;
    return 0;
}

static int take_row(void *ctx, const struct store_table *table, const void *row)
{
    (void)ctx, (void)table, (void)row;
    return 0;
}

static void open_store(struct filling *filling, const char *where,
                       int (*session)(void *, const struct store_session *))
{
    const struct store_sink sink = {.opened = take_opened, .session = session, .row = take_row};
    char message[STORE_MESSAGE_MAX] = "";
    sqlite_store_prepare();
    filling->store = postgres_is_url(where)
                         ? postgres_store_create(where, &(struct postgres_options){.parts = 1})
                         : sqlite_store_create(where);
    if (!filling->store)
        fail("out of memory");
    if (filling->store->engine->open(filling->store, &sink, message) != STORE_OK)
        fail(message);
}

/* On the thread of a database. */
static void on_done(struct store_commit *commit)
{
    if (commit->result != STORE_OK)
        fail("the store does not take it");
    (void)sem_post(commit->ctx);
}

static void commit_ops(struct filling *filling)
{
    memset(filling->results, 0, sizeof filling->results);
    const struct store_batch batch = {filling->count, filling->ops, filling->results};
    sem_t done;
    struct store_commit commit = {.batch = &batch, .done = on_done, .ctx = &done};
    if (sem_init(&done, 0, 0) != 0)
        fail("no semaphore");
    filling->store->engine->commit(filling->store, &commit);
    while (sem_wait(&done) != 0)
        ;
    (void)sem_destroy(&done);
    for (size_t at = 0; at < filling->count; at++) {
        if (filling->results[at] != STORE_OK)
            fail("the store refuses a row");
    }
    filling->count = 0;
}

static struct store_op *next_op(struct filling *filling)
{
    if (filling->count == OPS)
        commit_ops(filling);
    struct store_op *op = &filling->ops[filling->count++];
    *op = (struct store_op){.kind = STORE_PUT_ROW};
    return op;
}

static union row *next_row(struct filling *filling, const struct store_table *table)
{
    struct store_op *op = next_op(filling);
    union row *row = &filling->rows[filling->count - 1];
    memset(row, 0, sizeof *row);
    op->u.row = (struct store_row){.table = table, .row = row};
    return row;
}

/* ---- who there is */

static uint64_t session_of(uint32_t account)
{
    return UINT64_C(1000) + account;
}

static void write_handle(char handle[static PROTOCOL_HANDLE_BYTES + 1], uint32_t account)
{
    (void)snprintf(handle, PROTOCOL_HANDLE_BYTES + 1, "p%u", 1000 + account);
}

static void put_device(struct filling *filling, uint32_t account)
{
    unsigned char bytes[TOKEN_RANDOM_BYTES] = {0};
    char token[PROTOCOL_TOKEN_BYTES + 1];
    struct credential_row *row = &next_row(filling, &credential_table)->credential;
    for (size_t at = 0; at < sizeof account; at++)
        bytes[sizeof bytes - 1 - at] = (unsigned char)(account >> 8 * at);
    sodium_bin2base64(token, sizeof token, bytes, sizeof bytes,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    row->session = session_of(account);
    row->since_ms = row->seen_ms = begin_ms;
    row->name = "bench";
    if (!secret_hash_token(row->secret_hash, token))
        fail("that is no token");
}

static void put_account(struct filling *filling, uint32_t account)
{
    char skeleton[PROTOCOL_HANDLE_BYTES + 1];
    struct store_op *op = next_op(filling);
    op->kind = STORE_PUT_SESSION;
    op->u.session = (struct store_session){
        .id = session_of(account), .created_ms = begin_ms, .seen_ms = begin_ms};
    write_handle(op->u.session.name, account);
    put_device(filling, account);
    struct account_row *row = &next_row(filling, &account_table)->account;
    row->session = session_of(account);
    row->kind = ACCOUNT_PERSON;
    row->since_ms = row->called_ms = begin_ms;
    memcpy(row->user_id, &row->session, sizeof row->session);
    write_handle(row->handle, account);
    handle_skeleton(row->handle, skeleton);
    handle_claim(skeleton, row->claim);
}

static void put_tallies(struct filling *filling, uint32_t account, uint32_t matches)
{
    for (int kind = 0; kind < KINDS; kind++) {
        struct tally_row *row = &next_row(filling, &tally_table)->tally;
        row->session = session_of(account);
        memcpy(row->game, "taluva", sizeof "taluva");
        row->against = TALLY_PEOPLE;
        row->size = (uint8_t)(2 + kind);
        row->matches = matches;
        row->finished = matches;
        row->last_ms = begin_ms;
    }
}

/* ---- what they have played */

/* Eight digits, of all slots. */
static void write_room(char room[static 9], uint32_t match)
{
    static const char digits[] = "0123456789abcdefghjkmnpqrstvwxyz";
    uint64_t number = match * UINT64_C(0x9e3779b97f4a7c15) >> 24; /* 40 bits, each once */
    for (int at = 0; at < 8; at++, number >>= 5)
        room[at] = digits[number & 31];
    room[8] = '\0';
}

/* A row of the archive: who sat where in which match; and what that was, the same each time. */
struct place {
    uint32_t account, match;
    uint8_t seat;
};
struct played {
    uint8_t size;
    uint32_t first; /* the account in seat 0 */
    const char *why;
    bool is_totem;
};

static struct played play(uint32_t match, uint32_t accounts)
{
    static const char *const ends[] = {"two-kinds", "exhausted", "exhausted", "last-standing"};
    struct rng rng = {match};
    return (struct played){.size = (uint8_t)(2 + rng_below(&rng, SEATS_MAX - 1)),
                           .first = rng_below(&rng, accounts),
                           .why = ends[rng_below(&rng, 4)],
                           .is_totem = rng_below(&rng, 5) == 0};
}

static void put_place(struct filling *filling, const struct place *place, uint32_t accounts)
{
    const struct played played = play(place->match, accounts);
    struct archive_row *row = &next_row(filling, &archive_table)->archive;
    row->session = session_of(place->account);
    write_room(row->room, place->match);
    row->at_ms = begin_ms + (int64_t)place->match * MINUTE_MS;
    (void)snprintf(row->game, sizeof row->game, "%s", played.is_totem ? "totem" : "taluva");
    (void)snprintf(row->why, sizeof row->why, "%s", played.why);
    row->rules = 1 + played.size;
    row->against = TALLY_PEOPLE;
    row->size = played.size;
    row->seat = place->seat;
    row->result = (uint8_t)((place->seat == 0 ? ARCHIVE_WON : 0) | ARCHIVE_FINISHED);
    write_handle(row->handle, place->account);
    row->options = options;
}

static int compare_places(const void *one, const void *other)
{
    const struct place *a = one, *b = other;
    if (a->account != b->account)
        return a->account < b->account ? -1 : 1;
    return (a->match > b->match) - (a->match < b->match);
}

/* By accounts, as the rows are kept: so each page of the table is written once. */
static void put_matches(struct filling *filling, uint32_t matches, uint32_t accounts)
{
    struct place *places = calloc((size_t)matches * SEATS_MAX + 1, sizeof *places);
    size_t count = 0;
    if (!places)
        fail("out of memory");
    for (uint32_t match = 0; match < matches; match++) {
        const struct played played = play(match, accounts);
        for (uint8_t seat = 0; seat < played.size; seat++)
            places[count++] =
                (struct place){(played.first + seat * UINT32_C(7919)) % accounts, match, seat};
    }
    qsort(places, count, sizeof *places, compare_places);
    for (size_t at = 0; at < count; at++)
        put_place(filling, &places[at], accounts);
    free(places);
}

/* ---- the indexes of the archive, which are made at the end, when there is all to be sorted */

enum { INDEXES_MAX = 8, INDEX_BYTES = 512 };
struct indexes {
    char path[512];
    size_t count;
    char name[INDEXES_MAX][64], sql[INDEXES_MAX][INDEX_BYTES];
};

static int take_index(void *ctx, int columns, char **values, char **names)
{
    struct indexes *indexes = ctx;
    (void)columns, (void)names;
    if (indexes->count == INDEXES_MAX)
        return 1;
    (void)snprintf(indexes->name[indexes->count], sizeof indexes->name[0], "%s", values[0]);
    (void)snprintf(indexes->sql[indexes->count++], INDEX_BYTES, "%s", values[1]);
    return 0;
}

static void run_sql(const struct indexes *indexes, const char *sql,
                    int (*take)(void *, int, char **, char **), void *ctx)
{
    sqlite3 *db = NULL;
    if (sqlite3_open(indexes->path, &db) != SQLITE_OK ||
        sqlite3_exec(db, "PRAGMA cache_size = -262144", NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_exec(db, sql, take, ctx, NULL) != SQLITE_OK)
        fail(sqlite3_errmsg(db));
    sqlite3_close(db);
}

/* Of the embedded store, which is closed meanwhile. */
static void drop_indexes(struct indexes *indexes)
{
    run_sql(indexes,
            "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'archive'"
            " AND sql IS NOT NULL",
            take_index, indexes);
    for (size_t at = 0; at < indexes->count; at++) {
        char sql[96];
        (void)snprintf(sql, sizeof sql, "DROP INDEX %s", indexes->name[at]);
        run_sql(indexes, sql, NULL, NULL);
    }
}

static void make_indexes(const struct indexes *indexes)
{
    for (size_t at = 0; at < indexes->count; at++)
        run_sql(indexes, indexes->sql[at], NULL, NULL);
}

static void close_store(struct filling *filling)
{
    if (filling->count > 0)
        commit_ops(filling);
    filling->store->engine->close(filling->store);
}

static void put_accounts(struct filling *filling, uint32_t accounts, uint32_t matches)
{
    for (uint32_t account = 0; account < accounts; account++) {
        put_account(filling, account);
        put_tallies(filling, account, matches / accounts);
    }
}

static int run(int argc, char **argv)
{
    static struct filling filling;
    static struct indexes indexes;
    if (argc != 4) {
        fputs("usage: taluva-people-fill STORE ACCOUNTS MATCHES\n", stderr);
        return EX_USAGE;
    }
    const uint32_t accounts = (uint32_t)strtoul(argv[2], NULL, 10),
                   matches = (uint32_t)strtoul(argv[3], NULL, 10);
    const bool is_file = !postgres_is_url(argv[1]);
    if (accounts < SEATS_MAX || sodium_init() < 0)
        return EX_USAGE;
    store_tables_of(registry);
    open_store(&filling, argv[1], take_session);
    put_accounts(&filling, accounts, matches);
    close_store(&filling);
    (void)snprintf(indexes.path, sizeof indexes.path, "%s/taluva.db", argv[1]);
    if (is_file)
        drop_indexes(&indexes);
    open_store(&filling, argv[1], take_known);
    put_matches(&filling, matches, accounts);
    close_store(&filling);
    if (is_file)
        make_indexes(&indexes);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    program_begin();
    return program_end("taluva-people-fill", run(argc, argv));
}
