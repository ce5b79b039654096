#include "sign_in.h"

#include <hub/voucher.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>

static int say_problem(const char *path, const char *problem, int status)
{
    fprintf(stderr, "taluvad: %s%s\n", path, problem);
    return status;
}

static int read_open_file(struct sign_in *sign_in, const char *path, FILE *file)
{
    struct stat status;
    if (fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode))
        return say_problem(path, " is not a file", EX_NOINPUT);
    if (status.st_mode & S_IRWXO)
        return say_problem(path, " holds a secret, and everybody may read it", EX_CONFIG);
    if (!fgets(sign_in->secret, sizeof sign_in->secret, file))
        return say_problem(path, " cannot be read", EX_NOINPUT);
    sign_in->secret[strcspn(sign_in->secret, "\r\n")] = '\0';
    return oidc_client_is_valid(sign_in->secret, OIDC_SECRET_MAX)
               ? EX_OK
               : say_problem(path, " has to have one line, the secret that the provider has given",
                             EX_CONFIG);
}

static int read_secret(struct sign_in *sign_in, const char *path)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return say_problem(path, " cannot be read", EX_NOINPUT);
    const int status = read_open_file(sign_in, path, file);
    (void)fclose(file);
    return status;
}

/* As a browser has to come back to it. */
static int set_redirect(struct sign_in *sign_in, const char *origin)
{
    const int len = snprintf(sign_in->redirect, sizeof sign_in->redirect, "%s/enter/back", origin);
    if (len > 0 && (size_t)len < sizeof sign_in->redirect)
        return EX_OK;
    fprintf(stderr, "taluvad: --origin %s is too long to come back to\n", origin);
    return EX_USAGE;
}

static int use_provider(struct sign_in *sign_in, const struct options *options)
{
    int status = set_redirect(sign_in, options->origins.items[0]);
    if (status == EX_OK && options->oidc_secret_file)
        status = read_secret(sign_in, options->oidc_secret_file);
    sign_in->oidc = (struct oidc_options){
        .issuer = options->oidc_issuer,
        .client = options->oidc_client,
        .secret = options->oidc_secret_file ? sign_in->secret : NULL,
        .redirect = sign_in->redirect,
    };
    sign_in->net.oidc = &sign_in->oidc;
    sign_in->net.secure = strncmp(sign_in->redirect, "https://", 8) == 0;
    return status;
}

int sign_in_begin(struct sign_in *sign_in, const struct options *options)
{
    if (options->accounts != HUB_ACCOUNTS_EXTERNAL)
        return EX_OK;
    sign_in->hub.name = options->external_name ? options->external_name : "";
    sign_in->net.header = options->identity_header;
    sign_in->net.key = sign_in->hub.key;
    return options->oidc_issuer ? use_provider(sign_in, options) : EX_OK;
}

void sign_in_open(struct sign_in *sign_in, const struct site_keys *keys)
{
    static const char purpose[] = "vouchers of sign-ins elsewhere";
    (void)crypto_generichash(sign_in->hub.key, sizeof sign_in->hub.key, (const uint8_t *)purpose,
                             sizeof purpose - 1, keys->signer.secret, sizeof keys->signer.secret);
}
