#include "usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Fields 14 and 15 of /proc/PID/stat, behind the name, which may hold anything, in parentheses. */
static bool read_cpu(struct usage *usage, const char *folder)
{
    char path[64];
    char line[1024];
    (void)snprintf(path, sizeof path, "/proc/%s/stat", folder);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    const size_t len = fread(line, 1, sizeof line - 1, file);
    (void)fclose(file);
    line[len] = '\0';
    const char *at = strrchr(line, ')');
    unsigned long long ticks = 0;
    for (int field = 2; at && field <= 15; field++) {
        if (field >= 14)
            ticks += strtoull(at, NULL, 10);
        at = strchr(at + 1, ' ');
    }
    usage->cpu_us = ticks * 1000000ULL / (unsigned long long)sysconf(_SC_CLK_TCK);
    return at != NULL;
}

static bool read_memory(struct usage *usage, const char *folder)
{
    char path[64];
    char line[256];
    (void)snprintf(path, sizeof path, "/proc/%s/status", folder);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "VmRSS:", 6) == 0)
            usage->resident_kib = strtoull(line + 6, NULL, 10);
        else if (strncmp(line, "VmHWM:", 6) == 0)
            usage->peak_kib = strtoull(line + 6, NULL, 10);
    }
    (void)fclose(file);
    return true;
}

static bool read_usage(struct usage *usage, const char *folder)
{
    *usage = (struct usage){0};
    return read_cpu(usage, folder) && read_memory(usage, folder);
}

bool usage_of_self(struct usage *usage)
{
    return read_usage(usage, "self");
}

bool usage_of_process(struct usage *usage, pid_t pid)
{
    char folder[24];
    (void)snprintf(folder, sizeof folder, "%ld", (long)pid);
    return read_usage(usage, folder);
}
