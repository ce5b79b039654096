/* Tells systemd, if it asked to be told: one datagram to $NOTIFY_SOCKET, as sd_notify(3) has it. */
#ifndef SERVER_NOTIFY_H
#define SERVER_NOTIFY_H

void notify(const char *state);

#endif
