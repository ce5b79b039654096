/* What people who have an account ask, in the talk. */
#ifndef TALK_PEOPLE_H
#define TALK_PEOPLE_H

struct client;

void talk_accounts(void);
void talk_passkeys(void);
void talk_programs(struct client *robot); /* which is nobody in particular afterwards */
void talk_quick_match(void);
void talk_lobby(void);
void talk_events(void);

#endif
