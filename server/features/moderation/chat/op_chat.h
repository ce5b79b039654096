/*
 * `chat`, `chat_say`, `chat_drop`, `chat_report`: talk in the lobby, which the desk has, so that it
 * is the same at all nodes. Whoever asks `chat` waits there for the next line (listeners.h).
 *
 *     lines       what was said last
 *     listeners   who waits for more
 *     op_chat     who may hear it, say something, and take it away
 *     chat_operator   what the operator asks
 *     report      somebody has said something that others should not have to read
 */
#ifndef OP_CHAT_H
#define OP_CHAT_H

#include <protocol/json_writer.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call;
struct hub;
struct store_query;

void op_chat(struct call *call);
void op_chat_say(struct call *call);
void op_chat_drop(struct call *call);
/* What the store says: since when who speaks has an account; who the moderators are. */
void chat_queried(struct call *call, const struct store_query *query);

/* May whoever asks hear what is said there? Else the call is refused. */
bool chat_may_hear(const struct call *call);

/* Of `features/feature.h`. */
size_t chat_forget(struct hub *hub, uint64_t session, size_t max, bool *more);
int64_t chat_deadline_ms(const struct hub *hub);
void chat_tick(struct hub *hub);
void chat_write_hello(const struct hub *hub, struct writer *writer);
/* What somebody has said, of what is there. */
void chat_write_kept(const struct hub *hub, uint64_t session, struct writer *writer);

#endif
