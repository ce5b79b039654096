/*
 * The steps of a round, whom each asks and what follows when all have answered: a part of the
 * reference of Totem (totem_reference.h).
 */
#ifndef SIM_TOTEM_STEPS_H
#define SIM_TOTEM_STEPS_H

#include "totem_reference.h"
#include "totem_village.h"

enum step { SETTLE, CHOOSE, CAST, WRITE, REVEAL3, REVEAL4, REVEAL6, REVEAL7, STARVE, TAKE, OVER };

enum { QUEUE_MAX = 64 };

struct totem_reference {
    unsigned char key[TOTEM_KEY_BYTES];
    struct village village;
    char spells_by, meals_by; /* t(urns) A B, o(wner) A B */
    int rounds;
    enum step step;
    int queue[QUEUE_MAX], queued;
    struct {
        int family, number;
    } hungry[FAMILIES];
    int hungry_count;
    int written[FAMILIES * 2], written_count; /* families, in the order in which they wrote */
    const char *why;
    struct order winners;
};

extern const char *const totem_step_words[];

void steps_enqueue(struct totem_reference *reference, int family);
void steps_dequeue(struct totem_reference *reference, int at);

/* Do all who are asked act now, in secret, or only the first? */
bool steps_all_at_once(const struct totem_reference *reference);
/* How many spells the family may use; may it place another one? */
int steps_allowance(const struct family *family);
bool steps_can_cast(const struct totem_reference *reference, const struct family *family);
/* How many persons the family must name. */
int steps_share(const struct totem_reference *reference, int family);

void steps_ask(struct totem_reference *reference, enum step step);
void steps_ask_takers(struct totem_reference *reference);
/* People leave a family; the next of the hungry is dealt with; the meal is over, or goes on. */
void steps_people_go(struct totem_reference *reference, int family, int gone[HUTS][KINDS]);
void steps_next_hungry(struct totem_reference *reference);
void steps_meal_goes_on(struct totem_reference *reference);

void steps_forget_notes(struct totem_reference *reference);
void steps_end(struct totem_reference *reference, const char *why, struct order winners);
/* Until somebody has to decide something. */
void steps_go_on(struct totem_reference *reference);

/* Better by pieces (if they count), people, birds: above 0. */
int steps_better(const struct family *a, const struct family *b, bool pieces);

#endif
