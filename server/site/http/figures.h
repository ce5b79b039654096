/*
 * The figures of the parts here, each with the label of its part, and of the site itself, as
 * hub/prometheus.h writes them.
 */
#ifndef SITE_FIGURES_H
#define SITE_FIGURES_H

#include <hub/hub.h>
#include <stdint.h>

struct site;

struct site_counts { /* since the start */
    uint64_t relayed_out, relayed_in;
    uint64_t asked_out, asked_in; /* by HTTP */
    uint64_t passed_over;         /* frames that a later version has sent */
};

void figures_answer(const struct site *site, struct hub_http_answer *answer);

#endif
