#include <people/people.h>

#include "accounts/account_told.h"
#include "accounts/bots.h"
#include "accounts/claim.h"
#include "accounts/claim_budget.h"
#include "accounts/closing.h"
#include "accounts/erased.h"
#include "accounts/leaving.h"
#include "accounts/operator.h"
#include "accounts/quiet.h"
#include "invitations/invite.h"
#include "invitations/site_invite.h"
#include "profiles/archive.h"
#include "profiles/kept.h"
#include "profiles/profile.h"
#include "profiles/tally.h"
#include "tables/account_table.h"
#include "tables/archive_table.h"
#include "tables/bot_table.h"
#include "tables/closing_table.h"
#include "tables/handle.h"
#include "tables/quiet_table.h"
#include "tables/state.h"
#include <hub/admin_request.h>
#include <hub/call.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <hub/letter.h>
#include <hub/prometheus.h>
#include <protocol/json_writer.h>
#include <room/room.h>
#include <string.h>

static int begin_feature(struct hub *hub)
{
    accounts_init(hub);
    bots_init(hub);
    closings_init(hub);
    quiets_init(hub);
    tallies_init(hub);
    claim_budget_init(hub);
    invites_init(hub);
    site_invites_init(hub);
    return 0;
}

static void end_feature(struct hub *hub)
{
    accounts_release(hub);
    bots_release(hub);
    closings_release(hub);
    quiets_release(hub);
    tallies_release(hub);
    claim_budget_release(hub);
    invites_release(hub);
    site_invites_release(hub);
}

/* ---- rows */

/* They come in the order of their numbers: the last one counts. */
static bool restore_account(struct hub *hub, const void *row)
{
    const struct account_row *stored = row;
    struct session *session = kernel_session_find(hub, stored->session);
    if (!session)
        return true;
    struct account_given *given = account_prepare(hub, stored, bot_owner(hub, stored->session));
    if (given)
        account_give(hub, session, given);
    account_drop(given);
    return given;
}

static bool restore_row(struct hub *hub, const struct store_table *table, const void *row)
{
    uint64_t session; /* the first member of all others */
    if (table == &site_invite_table)
        return site_invite_restore(hub, row);
    memcpy(&session, row, sizeof session);
    if (table == &account_table)
        return restore_account(hub, row);
    if (!kernel_session_find(hub, session))
        return true;
    if (table == &closing_table)
        return closing_restore(hub, row);
    if (table == &quiet_table)
        return quiet_restore(hub, row);
    if (table == &bot_table)
        return bots_restore(hub, row);
    return table == &tally_table ? tally_restore(hub, row) : invite_restore(hub, row);
}

/* ---- what is told of it */

static void write_external(const struct hub *hub, const struct session *session,
                           struct writer *writer)
{
    writer_key_string(writer, "external", kernel_env(hub)->external->name);
    if (kernel_signed_in(hub, session))
        writer_key_bool(writer, "signed_in", true);
}

static void write_hello(const struct hub *hub, const struct session *session, struct writer *writer)
{
    static const char *const words[HUB_ACCOUNTS_MODES] = {"off", "open", "invite", "external"};
    const struct hub_env *env = kernel_env(hub);
    const struct account_row *row = account_of(hub, session);
    if (row)
        account_write(hub, row, writer);
    writer_key_object(writer, "site");
    writer_key_string(writer, "accounts", words[env->accounts]);
    writer_key_bool(writer, "visitors", !env->accounts_only);
    if (env->accounts == HUB_ACCOUNTS_INVITE && !row && invite_has(hub, session))
        writer_key_bool(writer, "invited", true);
    if (env->accounts == HUB_ACCOUNTS_EXTERNAL)
        write_external(hub, session, writer);
    writer_end(writer);
}

static void write_figures(const struct hub *hub, struct buffer *out)
{
    static const char *const outcomes[PEOPLE_CLAIMS] = {"granted", "taken", "refused"};
    const struct people *people = people_of(hub);
    prometheus_count(out, "accounts", "gauge", "Sessions that have a handle.", accounts_count(hub));
    prometheus_head(out, "claims_total", "counter", "Handles asked for by what came of it.");
    for (int outcome = 0; outcome < PEOPLE_CLAIMS; outcome++)
        prometheus_labelled(out, "claims_total", "outcome", outcomes[outcome],
                            people->claims[outcome]);
}

/* ---- sessions */

/* Whoever sits there has sat down before others were kept out. */
static bool sits_there(const struct hub *hub, const struct session *session, const char *room)
{
    const struct hub_room *hub_room = kernel_room_find(hub, room);
    return hub_room &&
           room_seat_of(kernel_room(hub_room), kernel_session_id(session)) != ROOM_NO_SEAT;
}

/* What is begun while it closes could outlive it: a match that is sought, a guest that is adopted,
 * and at the end, while its name is taken out of its matches, any other too. */
static bool closes_too_soon(const struct hub *hub, const struct session *session,
                            enum request_op op)
{
    const uint64_t id = kernel_session_id(session);
    if (op == REQUEST_SEEK || op == REQUEST_ADOPT)
        return closing_at_ms(hub, id) != 0;
    return (op == REQUEST_CREATE || op == REQUEST_JOIN || op == REQUEST_REMATCH) &&
           closing_is_erasing(hub, id);
}

/* Where only accounts may play, others may look on. */
static enum protocol_error allows_request(const struct hub *hub, const struct session *session,
                                          const struct request *request)
{
    const bool makes = request->op == REQUEST_CREATE, joins = request->op == REQUEST_JOIN;
    if (request->op == REQUEST_HELLO && closing_is_erasing(hub, kernel_session_id(session)))
        return PROTOCOL_SLOW_DOWN; /* as long as it may be there again after a restart */
    if (closes_too_soon(hub, session, request->op))
        return PROTOCOL_ACCOUNT_CLOSING;
    if (request->op == REQUEST_SAY && quiet_is(hub, kernel_session_id(session)))
        return PROTOCOL_QUIET;
    if (!kernel_env(hub)->accounts_only || kernel_account(session) || !(makes || joins))
        return PROTOCOL_OK;
    return joins && sits_there(hub, session, request->room) ? PROTOCOL_OK : PROTOCOL_ACCOUNT_NEEDED;
}

static bool keeps_session(const struct hub *hub, const struct session *session)
{
    (void)hub;
    return kernel_account(session) != NULL;
}

static void session_gone(struct hub *hub, struct session *session)
{
    closing_gone(hub, session);
    quiet_gone(hub, session);
    account_gone(hub, session);
    bots_gone(hub, session);
    tallies_gone(hub, session);
    invites_gone(hub, session);
}

/* ---- time */

static int64_t deadline_ms(const struct hub *hub)
{
    int64_t due_ms = site_invites_deadline_ms(hub);
    due_ms = closings_deadline_ms(hub) < due_ms ? closings_deadline_ms(hub) : due_ms;
    return bots_deadline_ms(hub) < due_ms ? bots_deadline_ms(hub) : due_ms;
}

static void tick(struct hub *hub)
{
    site_invites_tick(hub);
    bots_tick(hub);
    closings_tick(hub);
}

static bool hides_from(const struct hub *hub, const struct session *session, uint64_t speaker)
{
    (void)speaker;
    return quiet_is(hub, kernel_session_id(session));
}

/* ---- the feature */

static const char *called_by(const struct request *request, const char **field)
{
    *field = "handle";
    return request->op == REQUEST_CLAIM || request->op == REQUEST_BOT_ACCOUNT ? request->handle
                                                                              : NULL;
}

static const struct request_row requests[] = {
    {REQUEST_BOT_ACCOUNT, REQUEST_AT_HOME | REQUEST_ONCE, op_bot_account},
    {REQUEST_BOTS, REQUEST_AT_HOME, op_bots},
    {REQUEST_CLAIM, REQUEST_AT_HOME, op_claim},
    {REQUEST_CLOSE_ACCOUNT, REQUEST_AT_HOME, op_close_account},
    {REQUEST_KEEP_ACCOUNT, REQUEST_AT_HOME, op_keep_account},
    {REQUEST_INVITE, REQUEST_AT_HOME | REQUEST_ONCE, op_invite},
    {REQUEST_INVITES, REQUEST_AT_HOME, op_invites},
    {REQUEST_REDEEM, REQUEST_AT_HOME | REQUEST_ONCE, op_redeem},
    {REQUEST_PROFILE, REQUEST_LONG, op_profile},
    {REQUEST_PROFILE_SHOW, REQUEST_AT_HOME, op_profile_show},
    {REQUEST_QUIET, REQUEST_AT_HOME, op_quiet},
};

static void pass_query_on(struct call *call, const struct store_query *query)
{
    const enum request_op op = call->request->op;
    if (op == REQUEST_PROFILE)
        op_profile_queried(call, query);
    else if (op == REQUEST_BOT_ACCOUNT)
        bots_queried(call, query);
    else if (op == REQUEST_CLAIM)
        claim_queried(call, query);
    else if (op == REQUEST_QUIET)
        op_quiet_queried(call, query);
    else if (op == REQUEST_CLOSE_ACCOUNT || op == REQUEST_KEEP_ACCOUNT)
        closing_queried(call, query);
    else
        invite_queried(call, query);
}

static const struct operator_word invite_word = {"invite", true, MEMBER_FOR, 0};
static const struct operator_word account_word = {"account", false, MEMBER_HANDLE, 0};
static const struct operator_word rename_word = {"rename", true, MEMBER_HANDLE | MEMBER_TO,
                                                 MEMBER_REASON};

static const struct operator_row operations[] = {
    {&invite_word, .carry_out = invite_by_operator},
    {&account_word, true, .carry_out = operator_shows_account},
    {&rename_word, true, .ask = operator_asks_burnt, .found = operator_found_burnt,
     .carry_out = operator_renames},
};

static const struct feature_page pages[] = {
    {"/api/people/", PAGE_ANYWHERE, "application/json", .ask = profile_ask,
     .ask_next = profile_ask_next},
    {"/api/archive/", PAGE_ANYWHERE, "application/json", .ask = archive_ask,
     .ask_next = archive_ask_next},
};

/* Whose a program's account is comes before what it is called, which is told with it. */
static const struct store_table *const tables[] = {
    &bot_table,     &account_table, &tally_table,       &archive_table,
    &profile_table, &invite_table,  &site_invite_table, &invited_table,
    &closing_table, &burnt_table,   &quiet_table,       NULL};

/* ---- who has which handle */

static void ask_handle(const char *handle, void *from)
{
    char skeleton[PROTOCOL_HANDLE_BYTES + 1];
    handle_skeleton(handle, skeleton);
    handle_claim(skeleton, ((struct account_row *)from)->claim);
}

static uint64_t read_account(const void *row, struct protocol_account *account)
{
    const struct account_row *stored = row;
    *account = (struct protocol_account){.kind = stored->kind};
    memcpy(account->handle, stored->handle, sizeof stored->handle);
    return stored->session;
}

static int64_t read_since_ms(const void *row)
{
    return ((const struct account_row *)row)->since_ms;
}

static int64_t account_since_ms(const struct hub *hub, const struct session *session)
{
    const struct account_row *row = account_of(hub, session);
    return row ? row->since_ms : 0;
}

static const struct feature_accounts finder = {
    .table = &account_table,
    .index = ACCOUNT_BY_CLAIM,
    .ask = ask_handle,
    .read = read_account,
    .read_since_ms = read_since_ms,
    .since_ms = account_since_ms,
    .owned = bot_owned,
};

static const struct letter_row letters[] = {
    {tally_letter, 2, ARCHIVE_OPTIONS_MAX + 1, tally_apply},
    {erased_letter, ERASED_OPS, 0, erased_apply},
    {leaving_letter, LEAVING_OPS, LEAVING_TEXT, leaving_apply},
    {left_letter, 0, 0, left_apply},
};

const struct feature feature_people = {
    .name = "people",
    .memory = &people_memory,
    .begin = begin_feature,
    .end = end_feature,
    .requests = requests,
    .request_count = sizeof requests / sizeof requests[0],
    .called = called_by,
    .pages = pages,
    .page_count = sizeof pages / sizeof pages[0],
    .queried = pass_query_on,
    .operations = operations,
    .operation_count = sizeof operations / sizeof operations[0],
    .match_over = tally_match_over,
    .letters = letters,
    .letter_count = sizeof letters / sizeof letters[0],
    .session_ends = erased_tell,
    .deadline_ms = deadline_ms,
    .tick = tick,
    .wait_ms = claim_wait_ms,
    .allows = allows_request,
    .write_hello = write_hello,
    .write_kept = people_write_kept,
    .write_figures = write_figures,
    .session_gone = session_gone,
    .keeps_session = keeps_session,
    .tables = tables,
    .restore_row = restore_row,
    .accounts = &finder,
    .hides = hides_from,
};
