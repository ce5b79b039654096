#include "erased.h"

#include "tables/state.h"
#include <assert.h>
#include <hub/hub.h>
#include <hub/kernel.h>
#include <hub/kernel_others.h>
#include <hub/part.h>
#include <inttypes.h>
#include <protocol/encoding.h>
#include <stdio.h>

const char erased_letter[] = "people.erased";

static_assert((int)ERASED_OPS == (int)ERASED_ROWS + (int)PARTS_MAX, "one for each part");

/* "SESSION PARTS", the first in 16 hexadecimal digits, the other in two: how many parts are told.
 */
enum { ID_DIGITS = 16, LETTER_LEN = ID_DIGITS + 3 };

static int tell_part(struct hub *hub, uint64_t session, unsigned part, bool at_end)
{
    char text[LETTER_LEN + 1];
    const unsigned parts = kernel_env(hub)->parts;
    const int len = snprintf(text, sizeof text, "%016" PRIx64 " %02x", session, parts & 0xff);
    return kernel_send_letter(hub, &(struct kernel_letter){.addressee = part,
                                                           .kind = erased_letter,
                                                           .text = text,
                                                           .text_len = (size_t)len,
                                                           .at_end = at_end});
}

static int tell_parts(struct hub *hub, uint64_t session, bool at_end)
{
    for (unsigned part = 0; part < kernel_env(hub)->parts; part++) {
        if (tell_part(hub, session, part, at_end) < 0)
            return -1;
    }
    return 0;
}

bool erased_tell(struct hub *hub, const struct session *session)
{
    return !kernel_account(session) || tell_parts(hub, kernel_session_id(session), true) == 0;
}

/* False: it is none. */
static bool read_letter(const struct store_letter *letter, uint64_t *session, unsigned *parts)
{
    uint8_t id[ID_DIGITS / 2], count;
    if (letter->text_len != LETTER_LEN || letter->text[ID_DIGITS] != ' ' ||
        !hex_decode(id, sizeof id, letter->text, ID_DIGITS) ||
        !hex_decode(&count, 1, letter->text + ID_DIGITS + 1, 2))
        return false;
    *session = 0;
    for (size_t at = 0; at < sizeof id; at++)
        *session = *session << 8 | id[at];
    *parts = count;
    return true;
}

bool erased_may_look(struct hub *hub)
{
    struct people *people = people_of(hub);
    const bool may = people->forgot_ms != kernel_now_ms(hub);
    people->forgot_ms = kernel_now_ms(hub);
    return may;
}

/* Whatever is left then, the next letter finds: it is sent first, so that nothing goes without. */
static enum letter_fate forget_some(struct hub *hub, uint64_t session)
{
    bool any = false;
    if (!erased_may_look(hub))
        return LETTER_LATER;
    (void)kernel_forget(hub, session, 0, &any);
    if (!any)
        return LETTER_APPLIED;
    if (tell_part(hub, session, kernel_env(hub)->part, false) < 0)
        return LETTER_LATER;
    (void)kernel_forget(hub, session, ERASED_ROWS, &any);
    return LETTER_APPLIED;
}

/*
 * If the site has been divided anew since, others are here than those whom the letter was for, and
 * all parts are told once more.
 */
enum letter_fate erased_apply(struct hub *hub, const struct store_letter *letter)
{
    uint64_t session;
    unsigned parts;
    if (!read_letter(letter, &session, &parts))
        return LETTER_REFUSED;
    if (parts == kernel_env(hub)->parts)
        return forget_some(hub, session);
    return tell_parts(hub, session, false) < 0 ? LETTER_LATER : LETTER_APPLIED;
}
