#include <push/post.h>

#include "poster.h"
#include <stdio.h>
#include <string.h>

enum { ANSWER_BYTES_MAX = 16384 }; /* head and body; of which only the status and one line count */

/* ---- one message */

static bool append_header(struct curl_slist **list, const char *name, const char *value)
{
    char line[PUSH_TOKEN_MAX + 64];
    const int len = snprintf(line, sizeof line, "%s: %s", name, value);
    if (len < 0 || (size_t)len >= sizeof line)
        return false;
    struct curl_slist *longer = curl_slist_append(*list, line);
    if (longer)
        *list = longer;
    return longer != NULL;
}

/* For curl_slist_free_all, also if it is not whole. */
static bool make_headers(const struct push_post *post, struct curl_slist **list)
{
    char ttl[24];
    snprintf(ttl, sizeof ttl, "%lld", (long long)post->ttl_s);
    return append_header(list, "Authorization", post->authorization) &&
           append_header(list, "Content-Type", "application/octet-stream") &&
           append_header(list, "Content-Encoding", "aes128gcm") &&
           append_header(list, "TTL", ttl) && append_header(list, "Urgency", "normal") &&
           (!post->topic || append_header(list, "Topic", post->topic));
}

static bool describe_post(CURL *curl, const struct push_post *post, struct curl_slist *headers)
{
    return curl_easy_setopt(curl, CURLOPT_URL, post->endpoint) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR,
                            post->target->named ? "https,http" : "https") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_POST, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_POSTFIELDS, post->body) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)post->body_len) == CURLE_OK &&
           (!post->ca || curl_easy_setopt(curl, CURLOPT_CAINFO, post->ca) == CURLE_OK) &&
           curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)post->timeout_ms) == CURLE_OK;
}

static enum push_outcome outcome_of(long status)
{
    if (status >= 200 && status < 300)
        return PUSH_TAKEN;
    if (status == 404 || status == 410)
        return PUSH_GONE;
    if (status == 0 || status == 429 || status >= 500)
        return PUSH_LATER;
    return PUSH_REFUSED;
}

static int64_t retry_after(CURL *curl)
{
    curl_off_t after_s = 0;
    if (curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &after_s) != CURLE_OK || after_s < 0)
        return 0;
    return after_s < PUSH_RETRY_MAX_S ? after_s : PUSH_RETRY_MAX_S;
}

/* An answer whose rest is of no use has a status all the same. */
static void read_answer(const struct push_poster *poster, CURLcode code, struct push_answer *answer)
{
    long status = 0;
    (void)curl_easy_getinfo(poster->curl, CURLINFO_RESPONSE_CODE, &status);
    *answer = (struct push_answer){.outcome = outcome_of(status), .status = (int)status};
    if (answer->outcome == PUSH_LATER)
        answer->retry_after_s = retry_after(poster->curl);
    if (status == 0)
        snprintf(answer->why, sizeof answer->why, "%s",
                 poster->not_public ? "its address is not public" : curl_easy_strerror(code));
}

void push_post(struct push_poster *poster, const struct push_post *post, struct push_answer *answer)
{
    struct curl_slist *headers = NULL;
    CURLcode code = CURLE_OUT_OF_MEMORY;
    poster->received = 0;
    poster->most = ANSWER_BYTES_MAX;
    poster->body = NULL;
    poster->cancel = post->cancel;
    poster->named = post->target->named;
    poster->not_public = false;
    if (make_headers(post, &headers) && describe_post(poster->curl, post, headers))
        code = curl_easy_perform(poster->curl);
    read_answer(poster, code, answer);
    (void)curl_easy_setopt(poster->curl, CURLOPT_HTTPHEADER, NULL);
    curl_slist_free_all(headers);
}
