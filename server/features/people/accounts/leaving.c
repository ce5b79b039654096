#include "leaving.h"

#include "erased.h"
#include "tables/closing_table.h"
#include <assert.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <hub/part.h>
#include <inttypes.h>
#include <protocol/encoding.h>
#include <stdio.h>

const char leaving_letter[] = "people.leaving", left_letter[] = "people.left";

enum { ASK_MS = 10000, ASK_MAX_MS = 3600000 };

static_assert((int)PARTS_MAX <= 64, "a bit for each");

/* "SESSION PARTS PART", the first in 16 hexadecimal digits, the others in two: of how many parts
 * which one, the one that is asked or that answers. */
enum { ID_DIGITS = 16, LETTER_LEN = ID_DIGITS + 6 };

struct said {
    uint64_t session;
    unsigned part;
};

static int send_letter(struct hub *hub, const struct said *said, uint64_t addressee,
                       const char *kind)
{
    char text[LETTER_LEN + 1];
    const unsigned parts = kernel_env(hub)->parts;
    const int len = snprintf(text, sizeof text, "%016" PRIx64 " %02x %02x", said->session,
                             parts & 0xff, said->part & 0xff);
    return kernel_send_letter(
        hub, &(struct kernel_letter){
                 .addressee = addressee, .kind = kind, .text = text, .text_len = (size_t)len});
}

/* False: it is none. `*holds` false: the site has been divided anew since, and home asks again. */
static bool read_letter(const struct hub *hub, const struct store_letter *letter, struct said *said,
                        bool *holds)
{
    uint8_t id[ID_DIGITS / 2], parts, part;
    if (letter->text_len != LETTER_LEN || letter->text[ID_DIGITS] != ' ' ||
        letter->text[ID_DIGITS + 3] != ' ' || !hex_decode(id, sizeof id, letter->text, ID_DIGITS) ||
        !hex_decode(&parts, 1, letter->text + ID_DIGITS + 1, 2) ||
        !hex_decode(&part, 1, letter->text + ID_DIGITS + 4, 2))
        return false;
    *said = (struct said){.part = part};
    for (size_t at = 0; at < sizeof id; at++)
        said->session = said->session << 8 | id[at];
    *holds = parts == kernel_env(hub)->parts && part < parts;
    return true;
}

/* ---- at home */

static uint64_t bit_of(unsigned part)
{
    return UINT64_C(1) << part;
}

/* Without place in the batch, or memory, some are asked the next time. */
static void ask_others(struct hub *hub, const struct closing_entry *entry)
{
    const struct hub_env *env = kernel_env(hub);
    if (kernel_may_store(hub, env->parts) != PROTOCOL_OK)
        return;
    for (unsigned part = 0; part < env->parts; part++) {
        const struct said said = {entry->key, part};
        if (part != env->part && !(entry->left & bit_of(part)) &&
            send_letter(hub, &said, part, leaving_letter) < 0)
            return;
    }
}

bool leaving_is_done(struct hub *hub, struct closing_entry *entry)
{
    const struct hub_env *env = kernel_env(hub);
    const int64_t now_ms = kernel_now_ms(hub);
    for (unsigned part = 0; part < env->parts; part++) {
        if (part == env->part || entry->left & bit_of(part))
            continue;
        if (entry->ask_ms > now_ms)
            return false;
        entry->wait_ms = !entry->wait_ms                   ? ASK_MS
                         : 2 * entry->wait_ms < ASK_MAX_MS ? 2 * entry->wait_ms
                                                           : ASK_MAX_MS;
        entry->ask_ms = now_ms + entry->wait_ms;
        ask_others(hub, entry);
        return false;
    }
    return true;
}

void leaving_begin_anew(struct closing_entry *entry)
{
    entry->left = 0;
}

/* It is the same whether it is done once or twice, so it waits for nothing. */
enum letter_fate left_apply(struct hub *hub, const struct store_letter *letter)
{
    struct said said;
    bool holds;
    if (!read_letter(hub, letter, &said, &holds))
        return LETTER_REFUSED;
    struct closing_entry *entry = closing_find(hub, said.session);
    if (!entry || !holds)
        return LETTER_APPLIED;
    entry->left |= bit_of(said.part);
    if (entry->at_ms <= kernel_now_ms(hub))
        closing_plan(hub, entry, kernel_now_ms(hub));
    return LETTER_APPLIED;
}

/* ---- at other parts */

enum letter_fate leaving_apply(struct hub *hub, const struct store_letter *letter)
{
    struct said said;
    bool holds;
    if (!read_letter(hub, letter, &said, &holds))
        return LETTER_REFUSED;
    if (!holds || said.part != kernel_env(hub)->part)
        return LETTER_APPLIED;
    if (!erased_may_look(hub))
        return LETTER_LATER;
    if (kernel_put_matches_away(hub, said.session) &&
        send_letter(hub, &said, said.session, left_letter) < 0)
        return LETTER_LATER;
    return LETTER_APPLIED;
}
