/*
 * Why the rules said no: one row per way to be wrong, in the order of §6.2.
 *
 * The code is stable and made for programs; the text is a sentence that a beginner understands.
 */
#ifndef TOTEM_RULES_STATUS_H
#define TOTEM_RULES_STATUS_H

/* clang-format off */
#define TOTEM_STATUS_TABLE(X)                                                                      \
    X(OK, "ok", "This is allowed.")                                                                \
    X(BAD_COMMAND, "bad-command", "This is not a command.")                                        \
    X(OVER, "over", "The game is over.")                                                           \
    X(NOT_YOURS, "not-yours", "You do not lead this family.")                                      \
    X(NOT_NOW, "not-now", "Something else is to be done now.")                                     \
    X(NOT_YOUR_TURN, "not-your-turn", "It is not this family's turn.")                             \
    X(UNKNOWN_PEOPLE, "unknown-people", "There are not so many people of this kind.")              \
    X(HUT_FULL, "hut-full", "Only six people have room in a hut.")                                 \
    X(PEOPLE_LEFT, "people-left",                                                                  \
      "Everybody gets a place; of more than eighteen people exactly eighteen stay.")               \
    X(NO_COUPLE, "no-couple", "Those who stay must have a woman and a man among them.")            \
    X(TOO_MANY_SPELLS, "too-many-spells",                                                          \
      "A family may use as many spells as it has pieces and birds together.")                      \
    X(NOT_CHOSEN, "not-chosen", "This spell was not chosen, or is placed already.")                \
    X(SPELL_USED, "spell-used", "This spell is placed already in this round.")                     \
    X(NO_SUCH_HUT, "no-such-hut", "This hut's family is not in the game.")                         \
    X(NOT_CAST, "not-cast", "Only a spell that lies face down can be uncovered.")                  \
    X(WRONG_PHASE, "wrong-phase", "This spell belongs to another phase.")                          \
    X(WRONG_FAMILY, "wrong-family", "It is another family that starves now.")                      \
    X(ELDER_SPARED, "elder-spared", "Elders are spared.")                                          \
    X(WRONG_COUNT, "wrong-count", "That is not the number of people who must go.")                 \
    /* a game's options */                                                                         \
    X(BAD_PLAYERS, "bad-players", "A game has two to four players.")                               \
    X(BAD_FIRST, "bad-first", "The first family must be one of the game.")                         \
    X(BAD_ROUNDS, "bad-rounds", "A game has 1 to 99 rounds.")                                      \
    X(BAD_VARIANT, "bad-variant", "There is no such variant.")
/* clang-format on */

enum totem_status {
#define TOTEM_STATUS_NAME(name, code, text) TOTEM_##name,
    TOTEM_STATUS_TABLE(TOTEM_STATUS_NAME)
#undef TOTEM_STATUS_NAME
};
enum { TOTEM_STATUSES = TOTEM_BAD_VARIANT + 1 };

/* NULL for what is no status. */
const char *totem_status_code(enum totem_status status);
const char *totem_status_text(enum totem_status status);

#endif
