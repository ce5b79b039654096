#include "pass_ask.h"

#include "secret.h"
#include <cli/encoding.h>
#include <sodium.h>
#include <string.h>

const struct pass_question pass_question_phrase = {
    .prompt = "Recovery phrase (it is not shown): ",
    .again = "That is none, or there is a slip in it. Once more: ",
    .none = "no recovery phrase was given",
    .unclear = "that is no recovery phrase, or there is a slip in it",
    .phrase_alone = true,
};

static bool understand(const struct pass_question *question, struct pass_text *text,
                       const char *line)
{
    return pass_text_read(text, encoding_skip_mark(line, strlen(line))) &&
           !(question->phrase_alone && *text->server);
}

int pass_ask(const struct invocation *invocation, const struct pass_question *question,
             struct pass_text *text)
{
    char line[1024];
    const char *prompt = question->prompt;
    for (;;) {
        const enum secret_read read = secret_read(prompt, line, sizeof line);
        const bool understood = read == SECRET_READ && understand(question, text, line);
        sodium_memzero(line, sizeof line);
        if (read == SECRET_INTERRUPTED)
            return EXIT_INTERRUPTED;
        if (understood)
            return EXIT_OK;
        if (read == SECRET_NONE || !secret_is_typed())
            return command_complain(invocation, "%s",
                                    read == SECRET_NONE ? question->none : question->unclear);
        prompt = question->again;
    }
}
