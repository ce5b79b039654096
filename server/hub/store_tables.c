/* What the hub itself keeps as described rows (what opens sessions, where their browsers take
 * messages, letters, documents), and all that there are beside them. */
#include <hub/store_tables.h>

#include <assert.h>
#include <features/feature.h>
#include <hub/store.h>
#include <hub/store_document.h>

const struct store_table store_credential_table = {
    .name = "pass",
    .what = "a credential of a session",
    .number = 7,
    .size = sizeof(struct store_credential),
    .owner = STORE_OF_SESSION,
    .keys = 2,
    .count = 7,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct store_credential, session)},
                {"id", STORE_NUMBER, STORE_MEMBER(struct store_credential, id)},
                {"kind", STORE_NUMBER, STORE_MEMBER(struct store_credential, kind),
                 .max = STORE_CREDENTIAL_KINDS - 1},
                {"secret_hash", STORE_BYTES, STORE_MEMBER(struct store_credential, secret_hash),
                 .flags = STORE_SECRET},
                {"name", STORE_LENT, STORE_MEMBER(struct store_credential, name),
                 .max = STORE_CREDENTIAL_NAME_MAX},
                {"since_ms", STORE_NUMBER, STORE_MEMBER(struct store_credential, since_ms)},
                {"seen_ms", STORE_NUMBER, STORE_MEMBER(struct store_credential, seen_ms)}},
    .order = "session, since_ms, id",
};

const struct store_table store_push_table = {
    .name = "push",
    .what = "a browser of a session",
    .number = 6,
    .size = sizeof(struct store_push),
    .owner = STORE_OF_SESSION,
    .keys = 2,
    .count = 7,
    .columns = {{"session", STORE_NUMBER, STORE_MEMBER(struct store_push, session)},
                {"key", STORE_NUMBER, STORE_MEMBER(struct store_push, key)},
                {"since_ms", STORE_NUMBER, STORE_MEMBER(struct store_push, since_ms)},
                {"point", STORE_BYTES, STORE_MEMBER(struct store_push, point)},
                {"auth", STORE_BYTES, STORE_MEMBER(struct store_push, auth)},
                {"endpoint", STORE_LENT, STORE_MEMBER(struct store_push, endpoint),
                 .max = STORE_PUSH_ENDPOINT_MAX},
                {"pass", STORE_NUMBER, STORE_MEMBER(struct store_push, pass),
                 .flags = STORE_LATER}},
    .order = "session, since_ms, key",
};

const struct store_table store_letter_table = {
    .name = "letter",
    .what = "a letter",
    .number = 9,
    .size = sizeof(struct store_letter),
    .owner = STORE_ADDRESSED,
    .unloaded = true,
    .keys = 2,
    .count = 6,
    .columns = {{"addressee", STORE_NUMBER, STORE_MEMBER(struct store_letter, addressee)},
                {"id", STORE_NUMBER, STORE_MEMBER(struct store_letter, id)},
                {"state", STORE_NUMBER, STORE_MEMBER(struct store_letter, state),
                 .max = STORE_LETTER_STATES - 1},
                {"at_ms", STORE_NUMBER, STORE_MEMBER(struct store_letter, at_ms)},
                {"kind", STORE_STRING, STORE_MEMBER(struct store_letter, kind)},
                {"text", STORE_TEXT, STORE_MEMBER(struct store_letter, text),
                 .len_at = offsetof(struct store_letter, text_len), .max = STORE_LETTER_TEXT_MAX}},
    .indexes = {{"waiting", .columns = {2, 3}, .count = 2, .same = 1}},
};

const struct store_table store_document_table = {
    .name = "document",
    .what = "a document",
    .number = 10,
    .size = sizeof(struct store_document),
    .owner = STORE_OF_SITE,
    .keys = 1,
    .count = 3,
    .columns = {{"name", STORE_STRING, STORE_MEMBER(struct store_document, name)},
                {"revision", STORE_NUMBER, STORE_MEMBER(struct store_document, revision),
                 .flags = STORE_REVISION},
                {"text", STORE_LENT, STORE_MEMBER(struct store_document, text),
                 .max = STORE_DOCUMENT_BYTES_MAX}},
};

/* ---- all of them */

static const struct store_table *all_tables[STORE_TABLES_MAX + 1] = {
    &store_credential_table, &store_push_table, &store_document_table, &store_letter_table};
const struct store_table *const *store_tables = all_tables;

bool store_tables_have(const struct store_table *table)
{
    const struct store_table *const *at = store_tables;
    while (*at && *at != table)
        at++;
    return *at;
}

static void add_table(size_t *count, const struct store_table *table)
{
    assert(*count < STORE_TABLES_MAX);
    all_tables[(*count)++] = table;
    all_tables[*count] = NULL;
}

void store_tables_of(const struct feature *const *features)
{
    size_t count = 0;
    store_tables = all_tables;
    add_table(&count, &store_credential_table);
    add_table(&count, &store_push_table);
    for (; *features; features++) {
        const struct store_table *const *table = (*features)->tables;
        for (; table && *table; table++) {
            if (!store_tables_have(*table))
                add_table(&count, *table);
        }
    }
    add_table(&count, &store_document_table);
    add_table(&count, &store_letter_table);
}
