#include "browser.h"

#include "state.h"
#include <assert.h>
#include <notify/browser_table.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

uint64_t browser_key(const char *endpoint)
{
    uint8_t hash[crypto_generichash_BYTES];
    uint64_t key;
    crypto_generichash(hash, sizeof hash, (const uint8_t *)endpoint, strlen(endpoint), NULL, 0);
    memcpy(&key, hash, sizeof key);
    return key;
}

struct browser *browser_create(const char *endpoint, int64_t since_ms)
{
    size_t size = strlen(endpoint) + 1;
    struct browser *browser = calloc(1, sizeof *browser + size);
    if (!browser)
        return NULL;
    browser->key = browser_key(endpoint);
    browser->since_ms = since_ms;
    memcpy(browser->endpoint, endpoint, size);
    return browser;
}

struct browser *browser_find(struct browser *browsers, uint64_t key)
{
    while (browsers && browsers->key != key)
        browsers = browsers->next;
    return browsers;
}

static void remove_one(struct browser **link, uint64_t key)
{
    for (; *link; link = &(*link)->next) {
        struct browser *browser = *link;
        if (browser->key != key)
            continue;
        *link = browser->next;
        free(browser);
        return;
    }
}

static void append_browser(struct browser **link, struct browser *browser)
{
    while (*link)
        link = &(*link)->next;
    browser->next = NULL;
    *link = browser;
}

void browsers_release(struct browser **browsers)
{
    while (*browsers)
        remove_one(browsers, (*browsers)->key);
}

void browsers_drop_device(struct browser **browsers, uint32_t device)
{
    for (struct browser *browser = *browsers, *next; browser; browser = next) {
        next = browser->next;
        if (browser->device == device)
            remove_one(browsers, browser->key);
    }
}

/* ---- changes */

/* It is durable. */
static void carry_out(struct hub *hub, struct session *session, struct kernel_change *kept)
{
    struct browser **browsers = &notify_of_session(hub, session)->browsers;
    struct browser_change *change = (struct browser_change *)(void *)kept;
    for (unsigned i = 0; i < change->drop_count; i++)
        remove_one(browsers, change->drop[i]);
    if (!change->add)
        return;
    remove_one(browsers, change->add->key);
    append_browser(browsers, change->add);
    change->add = NULL;
}

static void destroy_change(struct kernel_change *kept)
{
    browser_change_free((struct browser_change *)(void *)kept);
}

static const struct kernel_change_type change_type = {.carry_out = carry_out,
                                                      .destroy = destroy_change};

struct browser_change *browser_change_create(struct browser *add)
{
    struct browser_change *change = calloc(1, sizeof *change);
    if (!change) {
        free(add);
        return NULL;
    }
    change->change.type = &change_type;
    change->add = add;
    return change;
}

void browser_change_drop(struct browser_change *change, uint64_t key)
{
    assert(change->drop_count < BROWSERS_MAX);
    change->drop[change->drop_count++] = key;
}

void browser_change_free(struct browser_change *change)
{
    if (change)
        free(change->add);
    free(change);
}

size_t browser_change_ops(const struct browser_change *change)
{
    return change->drop_count + (change->add ? 1 : 0);
}

size_t browser_change_text(const struct browser_change *change)
{
    return change->add ? strlen(change->add->endpoint) + 1 : 0;
}

void browser_drop(struct hub *hub, uint64_t session, uint64_t key)
{
    const struct browser_row row = {.session = session, .key = key};
    kernel_drop_row(hub, &browser_table, &row);
}

void browser_change_store(struct hub *hub, uint64_t session, const struct browser_change *change)
{
    const struct browser *add = change->add;
    for (unsigned i = 0; i < change->drop_count; i++)
        browser_drop(hub, session, change->drop[i]);
    if (!add)
        return;
    struct browser_row row = {.session = session,
                              .key = add->key,
                              .pass = add->device,
                              .since_ms = add->since_ms,
                              .endpoint = add->endpoint};
    memcpy(row.point, add->point, sizeof row.point);
    memcpy(row.auth, add->auth, sizeof row.auth);
    kernel_put_row(hub, &browser_table, &row);
}

/* ---- what clients see */

static bool stays_after(const struct browser *browser, const struct browser_change *change)
{
    if (!change)
        return true;
    for (unsigned i = 0; i < change->drop_count; i++) {
        if (change->drop[i] == browser->key)
            return false;
    }
    return !change->add || change->add->key != browser->key;
}

/* The endpoint is a secret of the browser and its service: only who the service is, is told. */
static void write_one(const struct browser *browser, struct writer *writer)
{
    const char *host = strstr(browser->endpoint, "://");
    host = host ? host + 3 : browser->endpoint;
    writer_object(writer);
    writer_key(writer, "service");
    writer_string_n(writer, host, strcspn(host, "/"));
    writer_key_int(writer, "since", browser->since_ms);
    writer_end(writer);
}

void browsers_write(const struct browser *browsers, const struct browser_change *change,
                    struct writer *writer)
{
    writer_key_array(writer, "devices");
    for (const struct browser *browser = browsers; browser; browser = browser->next) {
        if (stays_after(browser, change))
            write_one(browser, writer);
    }
    if (change && change->add)
        write_one(change->add, writer);
    writer_end(writer);
}

bool browser_restore(struct browser **browsers, const struct browser_row *stored)
{
    struct browser *browser = browser_create(stored->endpoint, stored->since_ms);
    if (!browser)
        return false;
    browser->key = stored->key; /* whatever made it */
    browser->device = stored->pass;
    memcpy(browser->point, stored->point, sizeof browser->point);
    memcpy(browser->auth, stored->auth, sizeof browser->auth);
    append_browser(browsers, browser);
    return true;
}
