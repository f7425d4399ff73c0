/* A capture in memory that is put together block by block, rightly by the encoder or wrongly by
 * surgery, and written out as a golden file. Failures end the program: it is run by hand. */
#ifndef GOLDEN_FILE_H
#define GOLDEN_FILE_H

#include "lcap_chain.h"
#include "lcap_encode.h"

#define GOLDEN_MAX_BYTES    (4u << 20)
#define GOLDEN_MAX_BLOCKS   64u
#define GOLDEN_UNKNOWN_KIND 99u /* a kind of block that no reader knows */
#define GOLDEN_CAPTURE_ID   UINT64_C(0x0123456789ABCDEF)

struct golden_file {
    struct lcap_encoder *encoder;
    struct lcap_chain chain;
    uint8_t *bytes;
    size_t size;
    size_t blocks[GOLDEN_MAX_BLOCKS]; /* offsets of their headers */
    size_t block_count;
    size_t index_offset; /* of the last index block */
};

/* Ends the program with a message unless the condition holds. */
void golden_require(bool condition, const char *what);

/* A file with its header. */
void golden_open(struct golden_file *file);
void golden_close(struct golden_file *file);

/* Appends a block that the encoder made, or any bytes. */
void golden_add(struct golden_file *file, enum ludus_status status, struct lcap_bytes block);
void golden_add_bytes(struct golden_file *file, const void *bytes, size_t size);
/* Appends a block with this payload under a right header. */
void golden_add_payload(struct golden_file *file, uint32_t kind, const uint8_t *payload,
                        size_t size);

/* The payload of the last block. */
uint8_t *golden_payload(struct golden_file *file);
size_t golden_payload_size(const struct golden_file *file);

/* Surgery on the last block. The first three leave header and checksums right; golden_set_header
 * changes a field of the header and makes its checksum right again. */
void golden_decompress(struct golden_file *file);
void golden_set(struct golden_file *file, size_t offset, size_t width, uint64_t value);
void golden_replace_payload(struct golden_file *file, const uint8_t *payload, size_t size);
void golden_set_header(struct golden_file *file, size_t offset, size_t width, uint64_t value);
/* The last block's payload as one zstd frame. */
void golden_compress(struct golden_file *file);
/* Changes a field of the file header and makes its checksum right again. */
void golden_set_file_header(struct golden_file *file, size_t offset, size_t width, uint64_t value);

/* The last blocks: an index of all blocks, made here and not by the chain because surgery has
 * moved them; and the trailer. */
void golden_add_index(struct golden_file *file);
void golden_add_trailer(struct golden_file *file);

/* Writes DIRECTORY/NAME.lcap and closes the file. */
void golden_write(struct golden_file *file, const char *directory, const char *name);

#endif
