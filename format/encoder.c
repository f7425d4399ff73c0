/* Creates and destroys encoders: all memory that encoding will ever need. */
#include <stdlib.h>
#include <string.h>

#include "lcap_encoder.h"
#include "lcap_wire.h"

#define MAX_SITE 4194304u

/* The largest raw payload of a block of records: one string of the longest size with its headers,
 * or as many of the largest records of fixed size as a block takes. */
static size_t records_bound(void)
{
    size_t string = (size_t)LCAP_ENCODE_MAX_STRING + 64;
    size_t records = (size_t)LCAP_ENCODE_MAX_RECORDS * LCAP_RECORD_SIZE_gpu_passes + 64;
    return string > records ? string : records;
}

static size_t scratch_bound(const struct lcap_encoder_config *config)
{
    size_t events = lcap_events_scratch_bound(config);
    return events > records_bound() ? events : records_bound();
}

static size_t output_bound(const struct lcap_encoder_config *config)
{
    size_t events = lcap_events_output_bound(config);
    size_t records = LCAP_BLOCK_HEADER_SIZE + scratch_bound(config);
    return events > records ? events : records;
}

static bool config_is_valid(const struct lcap_encoder_config *config)
{
    return config->max_events >= 256 && config->max_events <= LCAP_MAX_EVENTS &&
           config->max_site <= MAX_SITE && config->compression_level >= 1 &&
           config->compression_level <= 19;
}

size_t lcap_encoder_block_bytes(const struct lcap_encoder_config *config)
{
    return config_is_valid(config) ? output_bound(config) : 0;
}

size_t lcap_encoder_memory_bytes(const struct lcap_encoder_config *config)
{
    if (!config_is_valid(config))
        return 0;
    return sizeof(struct lcap_encoder) + scratch_bound(config) + output_bound(config) +
           lcap_events_memory_bytes(config) + lcap_grouper_memory_bytes(config) +
           lcap_compressor_memory_bytes(config);
}

void *lcap_allocate(size_t size)
{
    void *memory = malloc(size);
    if (memory != NULL)
        memset(memory, 0, size);
    return memory;
}

enum ludus_status lcap_encoder_create(const struct lcap_encoder_config *config,
                                      struct lcap_encoder **out)
{
    *out = NULL;
    if (!config_is_valid(config))
        return LUDUS_ERROR_ARGUMENT;
    struct lcap_encoder *encoder = lcap_allocate(sizeof *encoder);
    if (encoder == NULL)
        return LUDUS_ERROR_MEMORY;
    encoder->config = *config;
    encoder->scratch_capacity = scratch_bound(config);
    encoder->scratch = lcap_allocate(encoder->scratch_capacity);
    encoder->output_capacity = output_bound(config);
    encoder->output = lcap_allocate(encoder->output_capacity);
    if (encoder->scratch == NULL || encoder->output == NULL ||
        lcap_events_create(encoder) != LUDUS_OK || lcap_grouper_create(encoder) != LUDUS_OK ||
        lcap_compressor_create(encoder) != LUDUS_OK) {
        lcap_encoder_destroy(encoder);
        return LUDUS_ERROR_MEMORY;
    }
    *out = encoder;
    return LUDUS_OK;
}

void lcap_encoder_destroy(struct lcap_encoder *encoder)
{
    if (encoder == NULL)
        return;
    lcap_compressor_destroy(encoder);
    lcap_grouper_destroy(encoder);
    lcap_events_destroy(encoder);
    free(encoder->output);
    free(encoder->scratch);
    free(encoder);
}
