#include "pages.h"
#include "ratings_show.h"
#include <rating/class.h>
#include <stdio.h>

struct leaders_options {
    const char *server, *ca;
    bool json;
};

static const struct option_row rows[] = {
    PAGES_SERVER_ROW(leaders_options),
    PAGES_CA_ROW(leaders_options),
    {.name = "json",
     .kind = OPTION_FLAG,
     .help = "for programs: one JSON object a line, all that the server hands out",
     .offset = offsetof(struct leaders_options, json)},
    {.name = NULL},
};

static int run_command(const struct invocation *invocation)
{
    const struct leaders_options *options = invocation->options;
    const unsigned class = rating_class_find(invocation->operands[0]);
    struct pages pages;
    char path[64];
    if (class == 0)
        return command_complain(invocation, "there is no such class of ratings");
    int result = pages_begin(&pages, invocation, options->server, options->ca);
    if (result != EXIT_OK)
        return result;
    (void)snprintf(path, sizeof path, "api/leaders/%s", rating_class_at(class)->name);
    result = pages_fetch(&pages, path, NULL);
    if (result == EXIT_OK)
        result = leaders_print(&pages, options->json);
    pages_end(&pages);
    return result;
}

static const char *const words[] = {"taluva.duel.live",
                                    "taluva.duel.slow",
                                    "taluva.table.live",
                                    "taluva.table.slow",
                                    "taluva.ranking.live",
                                    "taluva.ranking.slow",
                                    "taluva.team.live",
                                    "taluva.team.slow",
                                    "totem.duel.live",
                                    "totem.duel.slow",
                                    "totem.table.live",
                                    "totem.table.slow",
                                    NULL};

const struct command command_leaders = {
    .name = "leaders",
    .operands = "CLASS",
    .words = words,
    .summary = "Show who is best in a class of ratings",
    .details = "The first hundred of a class, as taluva.duel.live: game, form and pace. In the "
               "list is who has\n"
               "played ten matches of that class, is known well enough (a deviation of 90 points "
               "at most), and\n"
               "has played within 45 days. Behind +- stands twice the deviation.",
    .operands_min = 1,
    .operands_max = 1,
    .rows = rows,
    .options_size = sizeof(struct leaders_options),
    .run = run_command,
};
