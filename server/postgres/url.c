#include "url.h"

#include <postgres/store.h>
#include <stdio.h>
#include <string.h>

bool postgres_is_url(const char *text)
{
    return strncmp(text, "postgres://", 11) == 0 || strncmp(text, "postgresql://", 13) == 0;
}

static const char *value_of(const struct url *url, const char *keyword)
{
    for (const PQconninfoOption *option = url->options; option->keyword; option++) {
        if (strcmp(option->keyword, keyword) == 0)
            return option->val;
    }
    return NULL;
}

/* What the URL says is put behind, and so wins. */
static bool collect_options(struct url *url, int64_t connect_ms)
{
    static const char *const standard[][2] = {
        {"target_session_attrs", "read-write"}, /* of several hosts the one that can be written */
        {"gssencmode", "disable"},              /* asking for it reads files of the user's home */
        {"keepalives_idle", "10"},
        {"keepalives_interval", "5"},
        {"keepalives_count", "3"},
        /* A machine that is there acknowledges bytes even if the database is slow, unless it has
         * had no space for them for so long. */
        {"tcp_user_timeout", "5000"},
    };
    size_t count = 0;
    for (; count < sizeof standard / sizeof standard[0]; count++) {
        url->keywords[count] = standard[count][0];
        url->values[count] = standard[count][1];
    }
    snprintf(url->timeout, sizeof url->timeout, "%d", (int)(connect_ms / 1000));
    url->keywords[count] = "connect_timeout";
    url->values[count++] = url->timeout;
    for (const PQconninfoOption *option = url->options; option->keyword; option++) {
        if (!option->val || strcmp(option->keyword, "application_name") == 0)
            continue; /* by its name a server finds its own connections */
        if (count >= URL_PARTS_MAX - 4)
            return false;
        url->keywords[count] = option->keyword;
        url->values[count++] = option->val;
    }
    url->keywords[count] = "client_encoding";
    url->values[count++] = "UTF8";
    url->keywords[count] = "fallback_application_name";
    url->values[count++] = "taluvad";
    url->keywords[count] = url->values[count] = NULL;
    return true;
}

/*
 * A password with a sign that has to be written as %XX ends up in other parts of the URL, and
 * libpq would say them.
 */
static bool password_may_have_leaked(const struct url *url)
{
    const char *host = value_of(url, "host"), *port = value_of(url, "port");
    const char *user = value_of(url, "user"), *dbname = value_of(url, "dbname");
    return (host && strchr(host, '@')) || (user && strchr(user, '@')) ||
           (dbname && strchr(dbname, '@')) || (port && port[strspn(port, "0123456789,")]);
}

bool url_parse(struct url *url, const char *text, int64_t connect_ms)
{
    char *ignored = NULL; /* it may say the password */
    *url = (struct url){.name = "the database", .problem = POSTGRES_UNREACHABLE};
    url->trouble = libpq_trouble();
    if (!libpq_load())
        return false;
    url->problem = POSTGRES_BAD_URL;
    url->trouble = "the URL is not understood: postgres://USER:PASSWORD@HOST:PORT/DATABASE, with "
                   "%XX for signs like / and @ in the password";
    url->options = PQconninfoParse(text, &ignored);
    PQfreemem(ignored);
    if (!url->options || !postgres_is_url(text) || password_may_have_leaked(url) ||
        !collect_options(url, connect_ms)) {
        url_release(url);
        return false;
    }
    const char *host = value_of(url, "host"), *port = value_of(url, "port");
    const char *user = value_of(url, "user"), *dbname = value_of(url, "dbname");
    snprintf(url->name, sizeof url->name, "%s%s%s%s%s/%s", user ? user : "", user ? "@" : "",
             host && *host ? host : "localhost", port ? ":" : "", port ? port : "",
             dbname ? dbname : "");
    url->problem = POSTGRES_FINE;
    return true;
}

void url_release(struct url *url)
{
    if (url->options)
        PQconninfoFree(url->options);
    url->options = NULL;
}
