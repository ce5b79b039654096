/*
 * Asking a person for a link or a recovery phrase, which nobody else should see: at the terminal,
 * or from the standard input.
 */
#ifndef CLI_PASS_ASK_H
#define CLI_PASS_ASK_H

#include "pass_text.h"
#include <cli/command.h>

/* The words for it. */
struct pass_question {
    const char *prompt, *again; /* at a terminal; `again` after what could not be understood */
    const char *none, *unclear; /* complaints, when the run ends for it */
    bool phrase_alone;          /* a link is not what is asked for */
};

/* For the recovery phrase of whoever has one, before something that takes a proof. */
extern const struct pass_question pass_question_phrase;

/*
 * EXIT_OK and the text, which the caller wipes; or how the run ends, which has been said. At a
 * terminal nobody sees what they type, so they are asked until it is understood.
 */
int pass_ask(const struct invocation *invocation, const struct pass_question *question,
             struct pass_text *text);

#endif
