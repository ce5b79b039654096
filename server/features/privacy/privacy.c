#include <privacy/privacy.h>

#include "en.html.h"
#include "fr.html.h"
#include "own.h"
#include "template.h"
#include "zh.html.h"
#include <assert.h>
#include <hub/hub.h>
#include <protocol/buffer.h>
#include <string.h>

enum { PAGE_BYTES = 65536 };
enum { STATUS_OK = 200, STATUS_NOT_FOUND = 404 };

static const struct {
    const char *language;
    const unsigned char *text;
} templates[] = {{"en", template_en}, {"fr", template_fr}, {"zh", template_zh}};

static void answer_text(struct hub_http_answer *answer, int status, const char *text)
{
    hub_http_make(answer, status, "", text, strlen(text));
}

static void get_privacy(struct hub *hub, const char *language, struct hub_http_answer *answer)
{
    const unsigned char *text = NULL;
    struct buffer out;
    for (size_t at = 0; at < sizeof templates / sizeof templates[0]; at++) {
        if (strcmp(templates[at].language, language) == 0)
            text = templates[at].text;
    }
    if (!text) {
        answer_text(answer, STATUS_NOT_FOUND, "no such page\n");
        return;
    }
    buffer_init(&out, 0, PAGE_BYTES);
    const bool is_whole = template_write(hub, (const char *)text, &out);
    assert(is_whole && "tests/unit/hub/test_privacy.c");
    (void)is_whole;
    if (!out.failed)
        hub_http_make(answer, STATUS_OK, "", buffer_payload(&out), out.len);
    buffer_release(&out);
}

/* Relative, as a proxy may have put it anywhere. */
static void get_languages(struct hub *hub, const char *rest, struct hub_http_answer *answer)
{
    (void)hub, (void)rest;
    answer_text(answer, STATUS_OK,
                "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width\">\n"
                "<title>Privacy</title>\n</head>\n<body>\n<ul>\n"
                "<li><a lang=\"en\" href=\"privacy/en\">Privacy</a></li>\n"
                "<li><a lang=\"fr\" href=\"privacy/fr\">Confidentialit&eacute;</a></li>\n"
                "<li><a lang=\"zh\" href=\"privacy/zh\">&#38544;&#31169;</a></li>\n"
                "</ul>\n</body>\n</html>\n");
}

static const struct feature_page pages[] = {
    {"/privacy/", PAGE_ANYWHERE, "text/html; charset=utf-8", .get = get_privacy},
    {"/privacy", PAGE_ANYWHERE, "text/html; charset=utf-8", .get = get_languages},
};

static const struct request_row requests[] = {
    {REQUEST_KEPT, REQUEST_AT_HOME | REQUEST_LONG, op_kept},
    {REQUEST_KEPT_AT_DESK, REQUEST_AT_DESK | REQUEST_LONG, op_kept_at_desk},
};

const struct feature feature_privacy = {
    .name = "privacy",
    .requests = requests,
    .request_count = sizeof requests / sizeof requests[0],
    .pages = pages,
    .page_count = sizeof pages / sizeof pages[0],
};
