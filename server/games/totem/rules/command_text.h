#ifndef TOTEM_COMMAND_TEXT_H
#define TOTEM_COMMAND_TEXT_H

#include "text.h"

/* Hidden: as those hear it who may not know what it says (§7.2). */
void totem_write_command(struct totem_writer *out, const struct totem_command *command,
                         bool hidden);

#endif
