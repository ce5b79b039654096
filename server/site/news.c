#include "news.h"

#include "links/link_out.h"
#include "site_private.h"
#include <hub/note.h>

void news_bring(struct site *site, const struct hub_note *note)
{
    const struct part *home = &site->parts[part_of_session(note->session, site->config.parts)];
    if (home->hub)
        hub_note(home->hub, note, site->now_ms);
}

void news_fetch(struct site *site, unsigned part)
{
    struct hub_note note;
    while (hub_note_take(site->parts[part].hub, &note, site->now_ms)) {
        const struct part *home = &site->parts[part_of_session(note.session, site->config.parts)];
        if (home->link)
            link_note(home->link, &note);
        else
            news_bring(site, &note);
    }
}
