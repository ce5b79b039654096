/*
 * What processes cost, read from the kernel: processor time and memory, our own and a local
 * server's.
 */
#ifndef LOAD_USAGE_H
#define LOAD_USAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct usage {
    uint64_t cpu_us; /* user and system */
    uint64_t resident_kib;
    uint64_t peak_kib;
};

bool usage_of_self(struct usage *usage);
bool usage_of_process(struct usage *usage,
                      pid_t pid); /* false: no such process, or not ours to see */

#endif
