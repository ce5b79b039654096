/* Notifies systemd, if it started us so: one datagram to $NOTIFY_SOCKET, see sd_notify(3). */
#ifndef SERVER_NOTIFY_H
#define SERVER_NOTIFY_H

void notify(const char *state);

#endif
