/* The operations on what opens a session: its devices, links and recovery phrase (credential.h). */
#ifndef IDENTITY_OP_DEVICE_H
#define IDENTITY_OP_DEVICE_H

struct call;
struct store_query;

void op_devices(struct call *call);
void op_forget(struct call *call);
void op_link(struct call *call);
void op_phrase(struct call *call);
void op_phrase_queried(struct call *call, const struct store_query *query);
void op_rename_device(struct call *call); /* `rename` with `device` */

#endif
