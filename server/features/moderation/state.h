/*
 * What the feature has in memory of a hub. Where nobody has reported anybody it is all zeros.
 *
 *     moderation         bans and silences that hold; what clients and the operator ask
 *     ban_list           the text of them, and what is in it
 *     ban_change         what the operator makes of it
 *     talk               what was said last at the tables of this part
 *     report             at the table: somebody is reported, by a letter to the desk
 *     report_table       what is kept of reports and judgements
 *     cases              at the desk: reports of one person are a case
 *     case_list          ... and how they are shown, and who is believed
 *     by_operator        what the operator asks of them
 *     judge              at the desk: something is decided, and comes to hold
 *     judgements         ... what was decided
 *     judged             at home of whoever it is about: they are told
 *     appeal             ... and say once why that was wrong, which is a case at the desk
 *     appeal_table       what is kept of that
 *     moderator          who may decide beside the operator
 *     moderate           what they ask
 *     chat/              talk in the lobby
 *     kept               what somebody is told that is kept of them
 *     state              this
 */
#ifndef MODERATION_STATE_H
#define MODERATION_STATE_H

#include "appeal_table.h"
#include "cases.h"
#include "chat/lines.h"
#include "chat/listeners.h"
#include "judged.h"
#include "judgements.h"
#include "moderator.h"
#include "report.h"
#include "talk.h"
#include <features/feature.h>

struct ban_list;

struct moderation {
    const struct ban_list *bans; /* NULL: they are not known yet, and nobody is banned */
    struct talk talk;
    struct chat_lines lines; /* of the lobby: the desk's, as who waits for more */
    struct chat_listeners listeners;
    uint64_t lines_said;
    struct reporters reporters;
    struct cases cases;
    struct judgements judgements;
    struct judged judged;
    struct moderators moderators;
    struct appeals appeals;
};

struct moderation *moderation_of(const struct hub *hub);

extern const struct feature_memory moderation_memory;

#endif
