#include "adopting.h"

#include "adopt_text.h"
#include "adopted.h"
#include "state.h"
#include <assert.h>
#include <hub/config.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <hub/part.h>
#include <inttypes.h>
#include <stdio.h>

const char adopting_letter[] = "identity.adopting", hand_letter[] = "identity.hand",
           handed_letter[] = "identity.handed";

enum { ASK_MS = 10000, ASK_MAX_MS = 3600000, END_MS = 1000, TEXT_BYTES = 64 };

static_assert((int)PARTS_MAX <= 64, "a bit for each");
static_assert(sizeof adopting_letter - 1 <= STORE_LETTER_KIND_MAX, "it has a place");

/* In the order in which they come; what stands for each in letters. */
enum step { STEP_ASK, STEP_HAND, STEP_LIST, STEP_END };
static const char steps[] = "ahle";

static enum step step_of(char word)
{
    enum step step = STEP_ASK;
    while (step < STEP_END && steps[step] != word)
        step++;
    return step;
}

/* In memory, of a guest that is at home here; all that counts is in its letter. */
struct adopting {
    uint64_t key; /* the guest */
    uint64_t heir;
    enum step step;
    uint64_t answered;       /* parts, in this step */
    bool meets;              /* one of them has said that both sit somewhere */
    int64_t ask_ms, wait_ms; /* when the rest is asked, and how long that was after before */
};

static struct table *adoptings_of(const struct hub *hub)
{
    return &identity_of(hub)->adoptings;
}

void adoptings_init(struct hub *hub)
{
    table_init(adoptings_of(hub), sizeof(struct adopting));
    identity_of(hub)->adoptings_ms = INT64_MAX;
}

void adoptings_release(struct hub *hub)
{
    table_release(adoptings_of(hub));
}

static struct adopting *find_adopting(const struct hub *hub, uint64_t guest)
{
    size_t at = 0;
    return table_find(adoptings_of(hub), guest, &at);
}

static void drop_adopting(struct hub *hub, uint64_t guest)
{
    struct adopting *adopting = find_adopting(hub, guest);
    if (adopting)
        table_remove(adoptings_of(hub), adopting);
}

void adopting_gone(struct hub *hub, const struct session *session)
{
    drop_adopting(hub, kernel_session_id(session));
}

bool adopting_is_ending(const struct hub *hub, const struct session *session)
{
    const struct adopting *adopting = find_adopting(hub, kernel_session_id(session));
    return adopting && adopting->step > STEP_ASK;
}

static void plan_turn(struct hub *hub, struct adopting *adopting, int64_t at_ms)
{
    struct identity *identity = identity_of(hub);
    adopting->ask_ms = at_ms;
    if (at_ms < identity->adoptings_ms)
        identity->adoptings_ms = at_ms;
}

/* ---- whether it may be, and its letter */

enum protocol_error adopting_allowed(const struct hub *hub, const struct session *guest,
                                     uint64_t heir)
{
    const struct adopting *before = find_adopting(hub, kernel_session_id(guest));
    if (kernel_account(guest))
        return PROTOCOL_ALREADY_ACCOUNT;
    if (kernel_barred_until_ms(hub, guest) != 0)
        return PROTOCOL_BANNED;
    return before && before->heir != heir ? PROTOCOL_SLOW_DOWN : PROTOCOL_OK;
}

/* Of a list there are `left` steps yet. */
static int send_adopting(struct hub *hub, uint64_t guest, uint64_t heir, enum step step,
                         unsigned left)
{
    char text[TEXT_BYTES];
    const int len =
        snprintf(text, sizeof text, "%016" PRIx64 " %c %02x", heir, steps[step], left & 0xff);
    return kernel_send_letter(hub, &(struct kernel_letter){.addressee = guest,
                                                           .kind = adopting_letter,
                                                           .text = text,
                                                           .text_len = (size_t)len});
}

int adopting_begin(struct hub *hub, const struct session *guest, uint64_t heir)
{
    return send_adopting(hub, kernel_session_id(guest), heir, STEP_ASK, 0);
}

/* ---- asking all parts, its own as well */

struct asked {
    uint64_t guest, heir;
    enum step step;
    unsigned part;
    bool holds; /* else the site has been divided anew since, and home asks again */
};

static int send_asked(struct hub *hub, const struct asked *asked, uint64_t addressee,
                      const char *kind, const char *answer)
{
    char text[TEXT_BYTES];
    const int len = snprintf(text, sizeof text, "%016" PRIx64 " %016" PRIx64 " %c %02x %02x%s",
                             asked->guest, asked->heir, steps[asked->step],
                             kernel_env(hub)->parts & 0xff, asked->part & 0xff, answer);
    return kernel_send_letter(
        hub, &(struct kernel_letter){
                 .addressee = addressee, .kind = kind, .text = text, .text_len = (size_t)len});
}

/* What is behind it, too: `*meets` is said in an answer. False: it is none. */
static bool read_asked(const struct hub *hub, const struct store_letter *letter,
                       struct asked *asked, bool *meets)
{
    struct adopt_text text = adopt_text_of(letter);
    asked->guest = adopt_text_number(&text, ADOPT_ID_DIGITS);
    asked->heir = adopt_text_number(&text, ADOPT_ID_DIGITS);
    asked->step = step_of(adopt_text_word(&text, "ah"));
    const unsigned parts = (unsigned)adopt_text_number(&text, ADOPT_PART_DIGITS);
    asked->part = (unsigned)adopt_text_number(&text, ADOPT_PART_DIGITS);
    asked->holds = parts == kernel_env(hub)->parts && asked->part < parts;
    if (meets)
        *meets = adopt_text_word(&text, "ny") == 'y';
    return adopt_text_is_read(&text) && asked->guest != 0 && asked->heir != 0;
}

static uint64_t bit_of(unsigned part)
{
    return UINT64_C(1) << part;
}

static bool have_all_answered(const struct hub *hub, const struct adopting *adopting)
{
    unsigned part = 0;
    while (part < kernel_env(hub)->parts && adopting->answered & bit_of(part))
        part++;
    return part == kernel_env(hub)->parts;
}

/* Without place in the batch, or memory, some are asked the next time. */
static void ask_parts(struct hub *hub, const struct adopting *adopting)
{
    const unsigned parts = kernel_env(hub)->parts;
    if (kernel_may_store(hub, parts) != PROTOCOL_OK)
        return;
    for (unsigned part = 0; part < parts; part++) {
        const struct asked asked = {adopting->key, adopting->heir, adopting->step, part, true};
        if (!(adopting->answered & bit_of(part)) &&
            send_asked(hub, &asked, part, hand_letter, "") < 0)
            return;
    }
}

static void ask_again(struct hub *hub, struct adopting *adopting)
{
    const int64_t wait_ms = adopting->wait_ms * 2;
    adopting->wait_ms = wait_ms == 0 ? ASK_MS : wait_ms < ASK_MAX_MS ? wait_ms : ASK_MAX_MS;
    adopting->ask_ms = kernel_now_ms(hub) + adopting->wait_ms;
    ask_parts(hub, adopting);
}

/* ---- time: letters change nothing that waits for others, so it is done here */

int64_t adoptings_deadline_ms(const struct hub *hub)
{
    return identity_of(hub)->adoptings_ms;
}

/* It may be gone then. */
static int64_t take_turn(struct hub *hub, struct adopting *adopting)
{
    if (adopting->step > STEP_ASK)
        kernel_put_out(hub, adopting->key);
    if (adopting->step == STEP_END) {
        adopting->ask_ms = kernel_now_ms(hub) + END_MS;
        kernel_end_session(hub, adopting->key);
    } else if (adopting->step == STEP_LIST || have_all_answered(hub, adopting)) {
        adopting->ask_ms = INT64_MAX; /* its letter goes on */
    } else {
        ask_again(hub, adopting);
    }
    return adopting->ask_ms;
}

void adoptings_tick(struct hub *hub)
{
    struct identity *identity = identity_of(hub);
    struct adopting *adopting;
    size_t at = 0;
    if (identity->adoptings_ms > kernel_now_ms(hub))
        return;
    identity->adoptings_ms = INT64_MAX;
    while ((adopting = table_next(adoptings_of(hub), &at)) != NULL) {
        const int64_t next_ms =
            adopting->ask_ms <= kernel_now_ms(hub) ? take_turn(hub, adopting) : adopting->ask_ms;
        if (next_ms < identity->adoptings_ms)
            identity->adoptings_ms = next_ms;
    }
}

/* ---- the letter of each step */

/* The one that is under way, in that step; NULL: no memory. */
static struct adopting *enter_step(struct hub *hub, uint64_t guest, uint64_t heir, enum step step)
{
    struct adopting *adopting = find_adopting(hub, guest);
    if (adopting && adopting->step >= step)
        return adopting;
    if (!adopting && !table_reserve(adoptings_of(hub), 1))
        return NULL;
    if (adopting)
        table_remove(adoptings_of(hub), adopting);
    const struct adopting fresh = {.key = guest, .heir = heir, .step = step};
    table_add(adoptings_of(hub), &fresh);
    adopting = find_adopting(hub, guest);
    plan_turn(hub, adopting, kernel_now_ms(hub));
    return adopting;
}

static enum letter_fate refuse_heir(struct hub *hub, const struct adopting *adopting,
                                    enum protocol_error error)
{
    if (adopt_tell(hub, adopting->heir, error) < 0)
        return LETTER_LATER;
    drop_adopting(hub, adopting->key);
    return LETTER_APPLIED;
}

static enum letter_fate go_on(struct hub *hub, const struct adopting *adopting, enum step step,
                              unsigned left)
{
    return send_adopting(hub, adopting->key, adopting->heir, step, left) < 0 ? LETTER_LATER
                                                                             : LETTER_APPLIED;
}

/* Another one may have begun before this letter was read. */
static enum letter_fate apply_ask(struct hub *hub, const struct session *guest,
                                  const struct adopting *adopting)
{
    const enum protocol_error error = adopting_allowed(hub, guest, adopting->heir);
    if (error != PROTOCOL_OK)
        return refuse_heir(hub, adopting, error);
    if (adopting->meets)
        return refuse_heir(hub, adopting, PROTOCOL_ALREADY_SEATED);
    return have_all_answered(hub, adopting) ? go_on(hub, adopting, STEP_HAND, 0) : LETTER_LATER;
}

static unsigned count_lists(const struct hub *hub)
{
    const int64_t lines = kernel_config(hub)->games_per_session;
    return (unsigned)(lines / STORE_HAND_ROOMS + 1);
}

static enum letter_fate apply_list(struct hub *hub, const struct adopting *adopting, unsigned left)
{
    if (left == 0)
        return go_on(hub, adopting, STEP_END, 0);
    if (go_on(hub, adopting, STEP_LIST, left - 1) != LETTER_APPLIED)
        return LETTER_LATER;
    kernel_hand_list(hub, adopting->key, adopting->heir);
    return LETTER_APPLIED;
}

static enum letter_fate apply_step(struct hub *hub, const struct session *guest,
                                   const struct adopting *adopting, unsigned left)
{
    switch (adopting->step) {
    case STEP_ASK:
        return apply_ask(hub, guest, adopting);
    case STEP_HAND:
        return have_all_answered(hub, adopting) ? go_on(hub, adopting, STEP_LIST, count_lists(hub))
                                                : LETTER_LATER;
    case STEP_LIST:
        return apply_list(hub, adopting, left);
    case STEP_END:
        break;
    }
    return LETTER_LATER; /* until the guest is gone */
}

enum letter_fate adopting_apply(struct hub *hub, const struct store_letter *letter)
{
    struct adopt_text text = adopt_text_of(letter);
    const uint64_t heir = adopt_text_number(&text, ADOPT_ID_DIGITS);
    const enum step step = step_of(adopt_text_word(&text, steps));
    const unsigned left = (unsigned)adopt_text_number(&text, ADOPT_PART_DIGITS);
    const struct session *guest = kernel_session_find(hub, letter->addressee);
    if (!adopt_text_is_read(&text) || heir == 0)
        return LETTER_REFUSED;
    if (!guest) /* whatever has become of it */
        return adopt_tell(hub, heir, step == STEP_END ? PROTOCOL_OK : PROTOCOL_UNKNOWN_TOKEN) < 0
                   ? LETTER_LATER
                   : LETTER_APPLIED;
    if (kernel_session_is_changing(guest))
        return LETTER_LATER;
    const struct adopting *adopting = enter_step(hub, letter->addressee, heir, step);
    if (!adopting)
        return LETTER_LATER;
    if (kernel_account(guest)) /* it has claimed a handle in its last moment, and stays */
        return refuse_heir(hub, adopting, PROTOCOL_ALREADY_ACCOUNT);
    if (adopting->step > step || adopting->heir != heir) /* another one has come before */
        return adopting->heir == heir || adopt_tell(hub, heir, PROTOCOL_SLOW_DOWN) == 0
                   ? LETTER_APPLIED
                   : LETTER_LATER;
    return apply_step(hub, guest, adopting, left);
}

/* ---- what a part is asked, and what it answers */

static enum letter_fate answer_home(struct hub *hub, const struct asked *asked, bool meets)
{
    return send_asked(hub, asked, asked->guest, handed_letter, meets ? " y" : " n") < 0
               ? LETTER_LATER
               : LETTER_APPLIED;
}

/* Whatever is left then, the next letter finds: it is sent first, so that nothing goes without. */
static enum letter_fate hand_some(struct hub *hub, const struct asked *asked)
{
    bool busy = false;
    const struct kernel_mark mark = kernel_mark(hub);
    if (send_asked(hub, asked, asked->part, hand_letter, "") < 0)
        return LETTER_LATER;
    if (kernel_hand_rooms(hub, asked->guest, asked->heir, &busy) > 0)
        return LETTER_APPLIED;
    kernel_take_back(hub, mark);
    return busy ? LETTER_LATER : answer_home(hub, asked, false);
}

enum letter_fate hand_apply(struct hub *hub, const struct store_letter *letter)
{
    struct asked asked;
    if (!read_asked(hub, letter, &asked, NULL))
        return LETTER_REFUSED;
    if (!asked.holds || asked.part != kernel_env(hub)->part)
        return LETTER_APPLIED;
    return asked.step == STEP_ASK
               ? answer_home(hub, &asked, kernel_hand_meets(hub, asked.guest, asked.heir))
               : hand_some(hub, &asked);
}

/* It is the same whether it is done once or twice, so it waits for nothing. */
enum letter_fate handed_apply(struct hub *hub, const struct store_letter *letter)
{
    struct asked asked;
    bool meets;
    if (!read_asked(hub, letter, &asked, &meets))
        return LETTER_REFUSED;
    struct adopting *adopting = find_adopting(hub, asked.guest);
    if (!adopting || !asked.holds || adopting->step != asked.step || adopting->heir != asked.heir)
        return LETTER_APPLIED;
    adopting->answered |= bit_of(asked.part);
    adopting->meets |= meets;
    return LETTER_APPLIED;
}
