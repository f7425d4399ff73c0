/* Golden files whose headers, checksums, compression or order of blocks are wrong, and files that
 * are no captures. */
#include <string.h>

#include "golden_blocks.h"
#include "golden_sets.h"

/* A change of the last block's header. */
struct header_case {
    const char *name;
    size_t offset;
    size_t width;
    uint64_t value;
};

static const struct header_case header_cases[] = {
    {"block-magic.wrong", 0, 4, 0x584C424C},
    {"header-field.kind-0", 4, 2, 0},
    {"header-field.version-0", 6, 2, 0},
    {"header-field.reserved-flag", 8, 2, 2},
    {"header-field.highest-flag", 8, 2, 0x8000},
    {"header-field.reserved", 10, 2, 1},
    {"header-field.stored-size-too-large", 12, 4, LCAP_MAX_PAYLOAD + 1},
    {"header-field.raw-size-too-large", 16, 4, LCAP_MAX_PAYLOAD + 1},
    {"header-field.sizes-differ", 16, 4, 23},
    {"header-field.tag", 32, 4, 1},
    {"payload-checksum.wrong", 20, 4, 0},
    {"block-cut.payload", 12, 4, 1000},
};

static void make_headers(const char *directory)
{
    for (size_t i = 0; i < sizeof header_cases / sizeof header_cases[0]; i++) {
        const struct header_case *row = &header_cases[i];
        struct golden_file file;
        golden_open(&file);
        golden_add_start(&file);
        golden_add_kind(&file, LCAP_KIND_domains);
        golden_decompress(&file);
        golden_set_header(&file, row->offset, row->width, row->value);
        if (strcmp(row->name, "header-field.stored-size-too-large") == 0 ||
            strcmp(row->name, "block-cut.payload") == 0)
            golden_set_header(&file, 16, 4, row->value); /* raw_size goes with stored_size */
        golden_add_finish(&file);
        golden_write(&file, directory, row->name);
    }
}

/* Bits that are flipped without anything made right again. */
static void make_flips(const char *directory)
{
    static const struct {
        const char *name;
        size_t offset; /* in the header */
        uint8_t mask;
    } cases[] = {
        {"header-checksum.flipped-kind", 4, 0x40},
        {"header-checksum.flipped-size", 12, 1},
        {"header-checksum.itself", 39, 0x80},
        {"payload-checksum.flipped-payload", 41, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct golden_file file;
        golden_open(&file);
        golden_add_start(&file);
        golden_add_kind(&file, LCAP_KIND_domains);
        file.bytes[file.blocks[file.block_count - 1] + cases[i].offset] ^= cases[i].mask;
        golden_add_finish(&file);
        golden_write(&file, directory, cases[i].name);
    }
    struct golden_file file;
    golden_open(&file);
    golden_add_start(&file);
    golden_add_payload(&file, GOLDEN_UNKNOWN_KIND, (const uint8_t *)"unknown", 7);
    golden_set_header(&file, 20, 4, 1);
    golden_add_finish(&file);
    golden_write(&file, directory, "payload-checksum.unknown-kind");
}

static void make_file_headers(const char *directory)
{
    static const struct {
        const char *name;
        size_t offset;
        size_t width;
        uint64_t value;
    } cases[] = {
        {"file-header.size", 12, 4, 40},
        {"file-header.flags", 24, 4, 1},
        {"file-header.version-0", 8, 2, 0},
        {"not-a-capture.greater-version", 8, 2, 2},
    };
    struct golden_file file;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        golden_open(&file);
        golden_add_start(&file);
        golden_add_finish(&file);
        golden_set_file_header(&file, cases[i].offset, cases[i].width, cases[i].value);
        golden_write(&file, directory, cases[i].name);
    }
    golden_open(&file);
    golden_add_start(&file);
    golden_add_finish(&file);
    file.bytes[16] ^= 1; /* the tag, and so the checksum */
    golden_write(&file, directory, "file-header.checksum");

    golden_open(&file); /* no header tells the tag: the trailer is not believed */
    golden_set_file_header(&file, 24, 4, 1);
    golden_add_trailer(&file);
    golden_write(&file, directory, "file-header.no-blocks");
}

static void make_gaps(const char *directory)
{
    struct golden_file file;
    golden_open(&file);
    golden_add_kind(&file, LCAP_KIND_session);
    golden_set_header(&file, 24, 8, 5);
    golden_add_kind(&file, LCAP_KIND_strings);
    golden_set_header(&file, 24, 8, UINT64_MAX);
    golden_add_payload(&file, GOLDEN_UNKNOWN_KIND, NULL,
                       0); /* skipped, and expected: 0 comes after 2^64 - 1 */
    golden_set_header(&file, 24, 8, 0);
    golden_add_payload(&file, GOLDEN_UNKNOWN_KIND, NULL, 0);
    golden_add_index(&file);
    golden_set_header(&file, 24, 8, 4);
    golden_add_trailer(&file);
    golden_write(&file, directory, "gap.greater-smaller-skipped");
}

/* Damage that takes more than one block's place. */
static void make_ranges(const char *directory)
{
    static const uint8_t nothing[64];
    struct golden_file file;
    golden_open(&file);
    golden_add_start(&file);
    golden_add_bytes(&file, " LBLK between blocks", 20);
    golden_add_finish(&file);
    golden_write(&file, directory, "block-magic.bytes-between-blocks");

    golden_open(&file); /* sequence 3 lies within the damage: no gap is told */
    golden_add_start(&file);
    file.bytes[file.blocks[3]] = 0;
    file.bytes[file.blocks[2]] = 0;
    golden_add_finish(&file);
    golden_write(&file, directory, "block-magic.two-blocks");

    for (size_t size = 39; size <= 64; size += 25) {
        golden_open(&file);
        golden_add_start(&file);
        golden_add_bytes(&file, nothing, size);
        golden_add_trailer(&file);
        golden_write(&file, directory,
                     size < 40 ? "block-cut.zeros-before-trailer"
                               : "block-magic.zeros-before-trailer");
    }
    golden_open(&file);
    golden_add_start(&file);
    golden_add_kind(&file, LCAP_KIND_domains);
    file.size = file.blocks[file.block_count - 1] + 39;
    golden_add_trailer(&file);
    golden_write(&file, directory, "block-cut.header");
}

/* A block of two domains whose payload is `frame`, said to hold `raw_size` bytes. */
static void make_frame(const char *directory, const char *name, const uint8_t *frame, size_t size,
                       size_t raw_size)
{
    struct golden_file file;
    golden_open(&file);
    golden_add_start(&file);
    golden_add_payload(&file, LCAP_KIND_domains, NULL, 0);
    golden_set_header(&file, 8, 2, LCAP_BLOCK_FLAG_ZSTD);
    golden_replace_payload(&file, frame, size);
    golden_set_header(&file, 16, 4, raw_size);
    golden_add_finish(&file);
    golden_write(&file, directory, name);
}

static void make_frames(const char *directory)
{
    /* Magic; window of 1 KiB, no size of content, a checksum; one stored block of a byte; the low
     * four bytes of XXH64 of that byte. */
    static const uint8_t summed[] = {0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x00, 0x09,
                                     0,    0,    'a',  0,    0,    0,    0};
    static const uint8_t skippable[] = {0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0};
    uint8_t frame[128] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x00};
    uint8_t twice[256];
    struct golden_file file;
    golden_open(&file);
    golden_add_kind(&file, LCAP_KIND_domains);
    golden_decompress(&file);
    size_t raw = golden_payload_size(&file);
    memcpy(frame + 9, golden_payload(&file), raw);
    golden_close(&file);
    frame[6] = (uint8_t)(raw << 3 | 1);
    size_t size = 9 + raw;
    memcpy(twice, frame, size);
    memcpy(twice + size, frame, size);
    make_frame(directory, "payload-compression.no-frame", (const uint8_t *)"no frame", 8, raw);
    make_frame(directory, "payload-compression.nothing", frame, 0, raw);
    make_frame(directory, "payload-compression.cut", frame, size - 1, raw);
    make_frame(directory, "payload-compression.byte-left-over", frame, size + 1, raw);
    make_frame(directory, "payload-compression.two-frames", twice, 2 * size, 2 * raw);
    make_frame(directory, "payload-compression.yields-less", frame, size, raw + 1);
    make_frame(directory, "payload-compression.yields-more", frame, size, raw - 1);
    make_frame(directory, "payload-compression.checksum", summed, sizeof summed, 1);
    make_frame(directory, "payload-compression.skippable-frame", skippable, sizeof skippable, 0);
    frame[5] = 0x89; /* 144 MiB */
    make_frame(directory, "payload-compression.window-too-large", frame, size, raw);
    frame[5] = 0xFF;
    make_frame(directory, "payload-compression.largest-window", frame, size, raw);
}

static void make_others(const char *directory)
{
    static const struct {
        const char *name;
        struct lcap_bytes bytes;
    } cases[] = {
        {"not-a-capture.empty", {NULL, 0}},
        {"not-a-capture.seven-bytes", {(const uint8_t *)LCAP_FILE_MAGIC, 7}},
        {"not-a-capture.text",
         {(const uint8_t *)"{\"not\": \"a capture, but long enough\"}\n", 38}},
    };
    struct golden_file file;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        golden_open(&file);
        file.size = 0;
        golden_add_bytes(&file, cases[i].bytes.data, cases[i].bytes.size);
        golden_write(&file, directory, cases[i].name);
    }
    golden_open(&file); /* as a transfer that "corrects" line ends leaves it */
    golden_add_start(&file);
    golden_add_finish(&file);
    file.bytes[5] = '\n';
    golden_write(&file, directory, "not-a-capture.line-ends");
}

void golden_make_invalid_files(const char *directory)
{
    make_headers(directory);
    make_flips(directory);
    make_file_headers(directory);
    make_gaps(directory);
    make_ranges(directory);
    make_frames(directory);
    make_others(directory);
}
