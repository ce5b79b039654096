/*
 * CRC-32 as zlib and PNG have it, for the checksums in recorded games. Not a defence against
 * anybody.
 */
#ifndef CLI_CRC32_H
#define CLI_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* The CRC of all bytes so far followed by these; of nothing it is 0. */
uint32_t crc32_add(uint32_t crc, const void *bytes, size_t len);

#endif
