/* `lobby`, `say` and `unsay`, by which the operator sees what is said in the lobby, says something
 * there, and takes a line away; the desk is asked. */
#ifndef CHAT_OPERATOR_H
#define CHAT_OPERATOR_H

#include <features/feature.h>

extern const struct operator_word chat_lobby_word, chat_say_word, chat_unsay_word;

bool chat_operator_lists(struct hub *hub, const struct admin_request *request,
                         struct writer *writer, struct refusal *refusal);
bool chat_operator_says(struct hub *hub, const struct admin_request *request, struct writer *writer,
                        struct refusal *refusal);
bool chat_operator_takes_away(struct hub *hub, const struct admin_request *request,
                              struct writer *writer, struct refusal *refusal);

#endif
