/* News of sessions (hub/note.h), from the parts of their rooms to their homes. */
#ifndef SITE_NEWS_H
#define SITE_NEWS_H

struct hub_note;
struct site;

/* Takes what the hub of a part has, and sends it on. */
void news_fetch(struct site *site, unsigned part);
/* To the home of the session, if that is here. What cannot be brought is lost, as it may be. */
void news_bring(struct site *site, const struct hub_note *note);

#endif
