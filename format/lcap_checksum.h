/* CRC-32 as in zlib, gzip and PNG. Private to format/. */
#ifndef LCAP_CHECKSUM_H
#define LCAP_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint32_t lcap_crc32(const void *bytes, size_t size);

#endif
