/* Whoever has an account learns on all its devices what has become of who may enter. */
#ifndef IDENTITY_TELL_DEVICES_H
#define IDENTITY_TELL_DEVICES_H

struct hub;
struct session;

/* Once the batch that fills is durable. The text is static. Without memory nobody is told. */
void tell_devices_when_durable(struct hub *hub, const struct session *session, const char *text);

#endif
