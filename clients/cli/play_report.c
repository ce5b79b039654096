/*
 * Whom somebody at the table reports to those who look after the server.
 */
#include "refusal.h"
#include "table.h"
#include <cli/state.h>
#include <string.h>

const char *const table_report_whys[] = {"talk", "name", "cheating", "stalling", "other", NULL};

static bool is_why(const char *word, size_t len)
{
    for (const char *const *why = table_report_whys; *why; why++) {
        if (strlen(*why) == len && memcmp(*why, word, len) == 0)
            return true;
    }
    return false;
}

static void on_reported(void *user, const json_t *ok, const json_t *error)
{
    struct table *table = user;
    char text[512] = "Those who look after this server will look at it; nobody else is told.";
    (void)ok;
    if (error)
        refusal_text(text, sizeof text, error);
    table_say(table, "%s", text);
}

/* `why` is the word of the reason, and whatever else was typed. */
static json_t *make_report(const struct table *table, int seat, const char *why)
{
    const size_t len = strcspn(why, " ");
    const char *text = why + len + strspn(why + len, " ");
    json_t *request = request_make("report", table->room, NULL, NULL);
    json_object_set_new(request, "seat", json_integer(seat));
    json_object_set_new(request, "why", json_stringn(why, len));
    if (*text)
        json_object_set_new(request, "text", json_string(text));
    return request;
}

void table_report(struct table *table, const char *text)
{
    const size_t len = strcspn(text, " ");
    const char *why = text + len + strspn(text + len, " ");
    const int seat = table_find_seat(table, text, len);
    if (table->plan->here)
        table_say(table, "This match is on no server: there is nobody to report to.");
    else if (seat == WIRE_NO_SEAT)
        table_say(table, "Whom? `report B talk` reports who sits at B; `help report` says more.");
    else if (seat == table_seat(table))
        table_say(table, "Seat %c is yours.", state_seat_letter(seat));
    else if (!is_why(why, strcspn(why, " ")))
        table_say(table, "Why? For talk, name, cheating, stalling or other.");
    else
        table_request(table, make_report(table, seat, why), on_reported);
}
