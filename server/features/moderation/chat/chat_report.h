/* `chat_report`: a line of the lobby is reported, with the server's own snapshot of it and of what
 * was said around it. */
#ifndef CHAT_REPORT_H
#define CHAT_REPORT_H

struct call;

void op_chat_report(struct call *call);

#endif
