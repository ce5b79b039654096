/* Texts of a command line, which reach a server as UTF-8. */
#ifndef CLI_OPTION_TEXT_H
#define CLI_OPTION_TEXT_H

#include <cli/command.h>

/*
 * Converts options and operands that are in the locale's encoding; names of files stay as they are.
 * False, and it has been said, if one is no text in it either. Texts live as long as the program.
 */
bool option_texts_read(struct invocation *invocation);

#endif
