#include <push/fetch.h>

#include "poster.h"
#include <stdio.h>

enum { HEAD_BYTES_MAX = 32768 };

/* Options stay set for the next request by the handle: each sets what another one may have. */
static bool describe_method(CURL *curl, const struct push_fetch *fetch)
{
    if (!fetch->form)
        return curl_easy_setopt(curl, CURLOPT_HTTPGET, 1L) == CURLE_OK;
    return curl_easy_setopt(curl, CURLOPT_POST, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, -1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_POSTFIELDS, fetch->form) == CURLE_OK;
}

static bool describe_fetch(CURL *curl, const struct push_fetch *fetch, struct curl_slist *headers)
{
    return describe_method(curl, fetch) &&
           curl_easy_setopt(curl, CURLOPT_URL, fetch->url) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, fetch->named ? "https,http" : "https") ==
               CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_USERNAME, fetch->user) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PASSWORD, fetch->password) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)fetch->timeout_ms) == CURLE_OK;
}

static struct curl_slist *make_headers(void)
{
    return curl_slist_append(NULL, "Accept: application/json");
}

static void prepare_poster(struct push_poster *poster, const struct push_fetch *fetch)
{
    poster->received = 0;
    poster->most = fetch->body_max + HEAD_BYTES_MAX;
    poster->cancel = fetch->cancel;
    poster->named = fetch->named;
    poster->not_public = false;
    poster->body = fetch->body;
    poster->body_len = 0;
    poster->body_max = fetch->body_max;
}

/* Nothing of it is left in the handle. */
static void forget_fetch(CURL *curl)
{
    (void)curl_easy_setopt(curl, CURLOPT_HTTPHEADER, NULL);
    (void)curl_easy_setopt(curl, CURLOPT_POSTFIELDS, NULL);
    (void)curl_easy_setopt(curl, CURLOPT_USERNAME, NULL);
    (void)curl_easy_setopt(curl, CURLOPT_PASSWORD, NULL);
}

int push_fetch(struct push_poster *poster, const struct push_fetch *fetch, size_t *len,
               char why[static PUSH_WHY_MAX])
{
    long status = 0;
    CURLcode code = CURLE_OUT_OF_MEMORY;
    struct curl_slist *headers = make_headers();
    prepare_poster(poster, fetch);
    if (headers && describe_fetch(poster->curl, fetch, headers))
        code = curl_easy_perform(poster->curl);
    if (code == CURLE_OK)
        (void)curl_easy_getinfo(poster->curl, CURLINFO_RESPONSE_CODE, &status);
    else
        (void)snprintf(why, PUSH_WHY_MAX, "%s",
                       poster->not_public ? "its address is not public" : curl_easy_strerror(code));
    forget_fetch(poster->curl);
    curl_slist_free_all(headers);
    *len = poster->body_len;
    poster->body = NULL;
    return (int)status;
}
