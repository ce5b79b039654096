#include "levels_match.h"

#include "levels.h"
#include "rows/state.h"
#include <assert.h>
#include <hub/config.h>
#include <hub/kernel.h>
#include <inttypes.h>
#include <jansson.h>
#include <rating/update.h>
#include <room/result.h>
#include <room/room.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 192, NO_SEAT = 255 };

/* The one person at the table, who played it to its end by themselves; NO_SEAT: there is no such.
 */
static unsigned person_of(const struct room_result *result)
{
    unsigned person = NO_SEAT;
    for (unsigned seat = 0; seat < result->seats; seat++) {
        const struct room_result_seat *own = &result->seat[seat];
        if (own->word)
            continue;
        if (person != NO_SEAT || own->session == 0 || own->account.kind != ACCOUNT_PERSON ||
            own->stood_in_for || own->hints > 0)
            return NO_SEAT;
        person = seat;
    }
    return person;
}

/* That all computers have; NULL: they are of several. */
static const char *level_of(const struct room_result *result)
{
    const char *level = NULL;
    for (unsigned seat = 0; seat < result->seats; seat++) {
        const char *word = result->seat[seat].word;
        if (word && level && strcmp(word, level) != 0)
            return NULL;
        level = word ? word : level;
    }
    return level;
}

static bool has_options(const struct room *room, const struct rating_class *class, unsigned seats)
{
    json_t *options = json_pack("{s:i}", "players", (int)seats);
    if (options && class->option)
        (void)json_object_set_new(options, class->option, json_true());
    const bool same = options && room_has_options(room, options);
    json_decref(options);
    return same;
}

/* Without a clock it is played as by a quick one; a computer needs no time. */
static const struct rating_class *class_of(const struct room *room,
                                           const struct room_result *result, unsigned sides)
{
    const int64_t move_s = room_move_s(room);
    const bool slow = move_s >= LIVE_MOVE_S && move_s != INT64_MAX;
    for (unsigned number = 1; number <= RATING_CLASSES; number++) {
        const struct rating_class *class = rating_class_at(number);
        if (class->slow == slow && strcmp(class->game, result->game) == 0 &&
            rating_class_has_sides(class, sides) && result->seats == sides * class->side_seats &&
            has_options(room, class, result->seats))
            return class;
    }
    return NULL;
}

/* Who has won what: stages as a match is rated by them (rating/update.h). */
static unsigned stages_of(const struct rating_class *class, const struct room_result *result,
                          unsigned sides, struct rating_stage stages[RATING_SEATS])
{
    uint8_t places[RATING_SEATS] = {0};
    stages[0] = (struct rating_stage){.inside = (1U << sides) - 1};
    for (unsigned seat = 0; seat < result->seats; seat++) {
        const struct room_result_seat *own = &result->seat[seat];
        places[seat] = own->rank;
        if (own->won)
            stages[0].first |= 1U << (result->teams ? own->team : seat);
    }
    return class->places ? rating_stages(places, sides, stages) : 1;
}

static int write_trials(char text[static TEXT_MAX], const struct rating_stage stages[],
                        unsigned count, unsigned side)
{
    int len = 0;
    for (unsigned at = 0; at < count; at++) {
        const struct rating_stage *stage = &stages[at];
        const unsigned inside = rating_count_sides(stage->inside);
        if (!(stage->inside >> side & 1) || inside < RATING_SIDES_MIN)
            continue;
        const unsigned won = stage->first >> side & 1
                                 ? (unsigned)YARDSTICK_WIN / rating_count_sides(stage->first)
                                 : 0;
        len += snprintf(text + len, (size_t)(TEXT_MAX - len), " %u:%u", inside, won);
    }
    return len;
}

static void send_match(struct hub *hub, const struct room *room, const struct room_result *result,
                       unsigned person)
{
    struct rating_stage stages[RATING_SEATS];
    char text[TEXT_MAX], trials[TEXT_MAX];
    const unsigned sides = result->teams ? result->teams : result->seats;
    const struct rating_class *class = class_of(room, result, sides);
    if (!class)
        return;
    const unsigned side = result->teams ? result->seat[person].team : person;
    const unsigned count = stages_of(class, result, sides, stages);
    if (write_trials(trials, stages, count, side) == 0)
        return;
    const int len =
        snprintf(text, sizeof text, "%016" PRIx64 " %s %s %u%s", result->seat[person].session,
                 class->name, level_of(result), sides, trials);
    assert(len > 0 && (size_t)len < sizeof text);
    const struct kernel_letter letter = {.addressee = LETTER_TO_DESK,
                                         .kind = level_letter,
                                         .text = text,
                                         .text_len = (size_t)len,
                                         .room_id = result->room_id};
    (void)kernel_send_letter(hub, &letter); /* without memory it does not count */
}

void levels_send(struct hub *hub, const struct room *room, const struct room_result *result)
{
    const unsigned person = person_of(result);
    if (result->decided && !result->early_out && result->seats <= RATING_SEATS &&
        person != NO_SEAT && level_of(result))
        send_match(hub, room, result, person);
}
