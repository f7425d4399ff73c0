/* Creates and destroys encoders: all memory that encoding will ever need. */
#include <stdlib.h>
#include <string.h>

#include "lcap_encoder.h"
#include "lcap_wire.h"

#define MAX_SITE 4194304u

/* The largest raw payload of a block of records: a string of the longest size, or a full index. */
static size_t scratch_bound(const struct lcap_encoder_config *config)
{
    size_t records = 2 * (size_t)LCAP_ENCODE_MAX_STRING;
    size_t column = (size_t)LCAP_VARINT_MAX_SIZE * config->max_events + 64;
    size_t segments = 5 * (size_t)LCAP_VARINT_MAX_SIZE * LCAP_ENCODE_MAX_SEGMENTS;
    size_t largest = records > column ? records : column;
    return largest > segments ? largest : segments;
}

static bool config_is_valid(const struct lcap_encoder_config *config)
{
    return config->max_events >= 256 && config->max_events <= LCAP_MAX_EVENTS &&
           config->max_site <= MAX_SITE && config->compression_level >= 1 &&
           config->compression_level <= 19;
}

size_t lcap_encoder_memory_bytes(const struct lcap_encoder_config *config)
{
    return sizeof(struct lcap_encoder) + scratch_bound(config) + lcap_events_output_bound(config) +
           lcap_events_memory_bytes(config) + lcap_grouper_memory_bytes();
}

enum ludus_status lcap_encoder_create(const struct lcap_encoder_config *config,
                                      struct lcap_encoder **out)
{
    *out = NULL;
    if (!config_is_valid(config))
        return LUDUS_ERROR_ARGUMENT;
    struct lcap_encoder *encoder = calloc(1, sizeof *encoder);
    if (encoder == NULL)
        return LUDUS_ERROR_MEMORY;
    encoder->config = *config;
    encoder->scratch_capacity = scratch_bound(config);
    encoder->output_capacity = lcap_events_output_bound(config);
    encoder->scratch = malloc(encoder->scratch_capacity);
    encoder->output = malloc(encoder->output_capacity);
    encoder->grouper = lcap_grouper_create();
    encoder->zstd = ZSTD_createCCtx();
    if (encoder->scratch == NULL || encoder->output == NULL || encoder->grouper == NULL ||
        encoder->zstd == NULL || lcap_events_create(encoder) != LUDUS_OK ||
        ZSTD_isError(ZSTD_CCtx_setParameter(encoder->zstd, ZSTD_c_compressionLevel,
                                            config->compression_level))) {
        lcap_encoder_destroy(encoder);
        return LUDUS_ERROR_MEMORY;
    }
    /* Touch every page, and let zstd allocate its tables for the largest input now, so that no
     * later call does. */
    memset(encoder->output, 0, encoder->output_capacity);
    memset(encoder->scratch, 0, encoder->scratch_capacity);
    (void)ZSTD_compress2(encoder->zstd, encoder->output, encoder->output_capacity, encoder->scratch,
                         encoder->scratch_capacity);
    *out = encoder;
    return LUDUS_OK;
}

void lcap_encoder_destroy(struct lcap_encoder *encoder)
{
    if (encoder == NULL)
        return;
    lcap_events_destroy(encoder);
    lcap_grouper_destroy(encoder->grouper);
    ZSTD_freeCCtx(encoder->zstd);
    free(encoder->output);
    free(encoder->scratch);
    free(encoder);
}
