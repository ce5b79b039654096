/* `kept`, `kept_at_desk`: what is kept of whoever asks, as far as no other operation shows it. */
#ifndef PRIVACY_OWN_H
#define PRIVACY_OWN_H

struct call;

void op_kept(struct call *call);
void op_kept_at_desk(struct call *call);

#endif
