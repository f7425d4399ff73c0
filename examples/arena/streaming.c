/* Level streaming: the files, and what the game does with one when a level begins. */
#include "streaming.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zstd.h>

#include <ludus/profile.h>

enum { STREAMING_FILES = STREAMING_LEVELS * LEVEL_SECTORS, STREAMING_READ_BYTES = 64 * 1024 };

/* Strong enough to take several times the length of a frame. */
static const int streaming_pack_level = 8;

struct streaming {
    int files[STREAMING_FILES]; /* unlinked while open: nothing is left behind, whatever happens */
    size_t file_bytes[STREAMING_FILES];
    uint32_t file_count;
    char *text;
    size_t text_capacity_bytes;
    char *packed[LEVEL_SECTORS]; /* the saved game's copy of the level */
    size_t packed_capacity_bytes;
    ZSTD_CCtx *packer;
    struct level fresh;
    uint64_t read_bytes;
    uint64_t packed_bytes;
};

static bool streaming_bytes_write(int file, const char *bytes, size_t size_bytes)
{
    while (size_bytes != 0) {
        ssize_t written = write(file, bytes, size_bytes);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        size_bytes -= (size_t)written;
    }
    return true;
}

static bool streaming_file_add(struct streaming *streaming, const char *text, size_t size_bytes,
                               char *message, uint32_t message_size_bytes)
{
    LUDUS_PROFILE_SCOPE(Startup/WriteFile, LUDUS_PROFILE_CAT(Streaming));
    const char *folder = getenv("TMPDIR");
    char path[4096];

    if (!folder || folder[0] == '\0')
        folder = "/tmp";
    int length = snprintf(path, sizeof path, "%s/arena-level-XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof path) {
        snprintf(message, message_size_bytes, "TMPDIR is too long; name another folder");
        return false;
    }
    int file = mkstemp(path);
    if (file < 0) {
        snprintf(message, message_size_bytes,
                 "cannot create a level file in %.200s: %s; set TMPDIR to a writable folder",
                 folder, strerror(errno));
        return false;
    }
    unlink(path);
    streaming->files[streaming->file_count] = file;
    streaming->file_bytes[streaming->file_count++] = size_bytes;
    if (!streaming_bytes_write(file, text, size_bytes)) {
        snprintf(message, message_size_bytes,
                 "cannot write a level file in %.200s: %s; set TMPDIR to a folder with room",
                 folder, strerror(errno));
        return false;
    }
    if (streaming->text_capacity_bytes < size_bytes)
        streaming->text_capacity_bytes = size_bytes;
    return true;
}

static bool streaming_files_write(struct streaming *streaming, uint64_t seed, char *message,
                                  uint32_t message_size_bytes)
{
    for (uint32_t i = 0; i < STREAMING_FILES; i++) {
        size_t size_bytes = 0;
        char *text = level_text_make(seed, i / LEVEL_SECTORS, i % LEVEL_SECTORS, &size_bytes);
        if (!text) {
            snprintf(message, message_size_bytes, "not enough memory for a level");
            return false;
        }
        bool written = streaming_file_add(streaming, text, size_bytes, message, message_size_bytes);
        free(text);
        if (!written)
            return false;
    }
    return true;
}

static bool streaming_buffers_allocate(struct streaming *streaming)
{
    streaming->packed_capacity_bytes = ZSTD_compressBound(streaming->text_capacity_bytes);
    streaming->text = malloc(streaming->text_capacity_bytes);
    streaming->packer = ZSTD_createCCtx();
    bool allocated = streaming->text && streaming->packer;
    for (uint32_t sector = 0; sector < LEVEL_SECTORS; sector++) {
        streaming->packed[sector] = malloc(streaming->packed_capacity_bytes);
        allocated = allocated && streaming->packed[sector];
    }
    return allocated;
}

struct streaming *streaming_create(uint64_t seed, char *message, uint32_t message_size_bytes)
{
    LUDUS_PROFILE_SCOPE(Startup/WriteLevels, LUDUS_PROFILE_CAT(Streaming));
    struct streaming *streaming = calloc(1, sizeof *streaming);
    if (!streaming) {
        snprintf(message, message_size_bytes, "not enough memory for the levels");
        return NULL;
    }
    if (!streaming_files_write(streaming, seed, message, message_size_bytes)) {
        streaming_destroy(streaming);
        return NULL;
    }
    if (!streaming_buffers_allocate(streaming)) {
        snprintf(message, message_size_bytes, "not enough memory for the levels");
        streaming_destroy(streaming);
        return NULL;
    }
    return streaming;
}

void streaming_destroy(struct streaming *streaming)
{
    if (!streaming)
        return;
    for (uint32_t i = 0; i < streaming->file_count; i++)
        close(streaming->files[i]);
    for (uint32_t sector = 0; sector < LEVEL_SECTORS; sector++)
        free(streaming->packed[sector]);
    ZSTD_freeCCtx(streaming->packer);
    free(streaming->text);
    free(streaming);
}

static bool streaming_sector_read(struct streaming *streaming, uint32_t index)
{
    size_t done = 0;
    while (done < streaming->file_bytes[index]) {
        LUDUS_PROFILE_SCOPE(Streaming/Read, LUDUS_PROFILE_CAT(Streaming));
        size_t wanted = streaming->file_bytes[index] - done;
        if (wanted > STREAMING_READ_BYTES)
            wanted = STREAMING_READ_BYTES;
        ssize_t got = pread(streaming->files[index], streaming->text + done, wanted, (off_t)done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    streaming->read_bytes += done;
    LUDUS_PROFILE_COUNT(Streaming/Bytes, done, LUDUS_PROFILE_CAT(Streaming));
    return true;
}

static bool streaming_sector_load(struct streaming *streaming, uint32_t index)
{
    LUDUS_PROFILE_SCOPE(Streaming/Sector, LUDUS_PROFILE_CAT(Streaming));
    uint32_t sector = index % LEVEL_SECTORS;
    size_t size_bytes = streaming->file_bytes[index];

    if (!streaming_sector_read(streaming, index))
        return false;
    {
        LUDUS_PROFILE_SCOPE(Streaming/Parse, LUDUS_PROFILE_CAT(Streaming));
        if (!level_text_parse(&streaming->fresh, streaming->text, size_bytes))
            return false;
    }
    LUDUS_PROFILE_SCOPE(Streaming/Pack, LUDUS_PROFILE_CAT(Streaming));
    size_t packed = ZSTD_compressCCtx(streaming->packer, streaming->packed[sector],
                                      streaming->packed_capacity_bytes, streaming->text, size_bytes,
                                      streaming_pack_level);
    if (ZSTD_isError(packed))
        return false;
    streaming->packed_bytes += packed;
    return true;
}

bool streaming_load(struct streaming *streaming, uint32_t number, struct level *level,
                    char *message, uint32_t message_size_bytes)
{
    LUDUS_PROFILE_SCOPE(Streaming/Level, LUDUS_PROFILE_CAT(Streaming));
    memset(&streaming->fresh, 0, sizeof streaming->fresh);
    for (uint32_t sector = 0; sector < LEVEL_SECTORS; sector++) {
        if (!streaming_sector_load(streaming, number % STREAMING_LEVELS * LEVEL_SECTORS + sector)) {
            snprintf(message, message_size_bytes,
                     "sector %u of level %u cannot be read back; is the temporary folder whole?",
                     (unsigned)sector, (unsigned)number);
            return false;
        }
    }
    *level = streaming->fresh;
    return true;
}

uint64_t streaming_read_bytes(const struct streaming *streaming)
{
    return streaming->read_bytes;
}

uint64_t streaming_packed_bytes(const struct streaming *streaming)
{
    return streaming->packed_bytes;
}
