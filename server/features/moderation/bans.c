#include "bans.h"

#include "ban_change.h"
#include "ban_list.h"
#include "state.h"
#include <hub/admin_request.h>
#include <hub/kernel.h>
#include <stdlib.h>

static void release_bans(void *value)
{
    struct ban_list *bans = value;
    if (bans)
        ban_list_release(bans);
    free(bans);
}

/* "" is no bans. */
static void *read_bans(const char *text, size_t len)
{
    struct ban_list *bans = calloc(1, sizeof *bans);
    if (!bans || len == 0 || ban_list_read(bans, text, len))
        return bans;
    release_bans(bans);
    return NULL;
}

static size_t hold_bans(struct hub *hub, const void *value)
{
    struct moderation *moderation = moderation_of(hub);
    moderation->bans = value;
    return kernel_close_barred(hub);
}

/* ---- what the operator asks */

static void show_bans(const void *value, const struct document_asked *asked, struct writer *writer)
{
    ban_change_list(value, asked->home, asked->now_ms, writer);
}

/* Of a session whose home is elsewhere nobody here knows. */
static bool is_unknown(const struct document_asked *asked)
{
    const uint64_t session = asked->request->target.session;
    return session && asked->home && asked->request->word != &lift_word &&
           !kernel_session_find(asked->home, session);
}

static bool change_bans(const void *value, const struct document_asked *asked, struct buffer *text,
                        struct refusal *refusal)
{
    const struct ban_change change = {asked->request, asked->home, asked->now_ms, asked->most};
    struct ban_list bans = {0};
    if (is_unknown(asked)) {
        *refusal = (struct refusal){.code = "unknown_session", .text = "There is no such session."};
        return false;
    }
    const bool good = ban_change_decide(&change, value, &bans, text, refusal);
    ban_list_release(&bans);
    return good;
}

static void say_changed(const struct document_asked *asked, size_t closed, struct writer *writer)
{
    ban_change_write(asked->request, asked->now_ms, closed, writer);
}

static const struct operator_word bans_word = {"bans", false, 0, 0};

static const struct document_row rows[] = {
    {.word = &bans_word, .show = show_bans},
    {.word = &ban_word, .change = change_bans, .changed = say_changed},
    {.word = &silence_word, .change = change_bans, .changed = say_changed},
    {.word = &lift_word, .change = change_bans, .changed = say_changed},
};

const struct feature_document bans_document = {
    .name = "bans",
    .read = read_bans,
    .release = release_bans,
    .hold = hold_bans,
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
};
