/* Compresses with zstd, in memory of a fixed size that is reserved and touched once.
 *
 * An ordinary context of zstd gives its memory back after a run of small inputs and asks for more
 * at the next large one. A static one does neither, and its size is known before it is made. Static
 * contexts and frequency-only coding are in the part of zstd.h that is kept from version to version
 * by custom but not by promise, which is why nothing else of it is used and only here. */
#define ZSTD_STATIC_LINKING_ONLY
#include "lcap_encoder.h"

#include <stdlib.h>

/* Inputs below this size do not pay for a frame's headers. */
#define MIN_INPUT 32u

/* A step between two looks for a match that is longer than any input: there are no matches then. */
#define NO_MATCHES ZSTD_TARGETLENGTH_MAX
#define NO_HASH    ZSTD_HASHLOG_MIN

/* What the level means for columns of the size that most have. */
static ZSTD_compressionParameters match_parameters(const struct lcap_encoder_config *config)
{
    ZSTD_compressionParameters parameters =
        ZSTD_getCParams(config->compression_level, 2u * config->max_events, 0);
    if (parameters.strategy == ZSTD_fast) {
        /* Events come again in long stretches, and short matches cost more than they save. */
        parameters.minMatch = 7;
        parameters.hashLog = parameters.hashLog < 12 ? parameters.hashLog : 12;
    }
    return parameters;
}

static ZSTD_compressionParameters frequency_parameters(const struct lcap_encoder_config *config)
{
    ZSTD_compressionParameters parameters = match_parameters(config);
    parameters.strategy = ZSTD_fast;
    parameters.minMatch = 7;
    parameters.targetLength = NO_MATCHES;
    parameters.hashLog = NO_HASH;
    parameters.chainLog = ZSTD_CHAINLOG_MIN;
    parameters.searchLog = ZSTD_SEARCHLOG_MIN;
    return parameters;
}

size_t lcap_compressor_memory_bytes(const struct lcap_encoder_config *config)
{
    size_t matches = ZSTD_estimateCCtxSize_usingCParams(match_parameters(config));
    size_t frequencies = ZSTD_estimateCCtxSize_usingCParams(frequency_parameters(config));
    return matches > frequencies ? matches : frequencies;
}

/* zstd keeps parameters from call to call. */
static bool set_parameters(ZSTD_CCtx *zstd, ZSTD_compressionParameters parameters)
{
    const struct {
        ZSTD_cParameter name;
        unsigned value;
    } values[] = {{ZSTD_c_windowLog, parameters.windowLog},
                  {ZSTD_c_chainLog, parameters.chainLog},
                  {ZSTD_c_hashLog, parameters.hashLog},
                  {ZSTD_c_searchLog, parameters.searchLog},
                  {ZSTD_c_minMatch, parameters.minMatch},
                  {ZSTD_c_targetLength, parameters.targetLength},
                  {ZSTD_c_strategy, (unsigned)parameters.strategy},
                  /* Off by default where matches are looked for in steps. */
                  {ZSTD_c_literalCompressionMode, ZSTD_ps_enable}};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (ZSTD_isError(ZSTD_CCtx_setParameter(zstd, values[i].name, (int)values[i].value)))
            return false;
    return true;
}

static bool use_coding(struct lcap_encoder *encoder, enum lcap_coding coding)
{
    if (encoder->coding == coding)
        return true;
    encoder->coding = coding;
    return set_parameters(encoder->zstd, coding == LCAP_CODING_MATCHES
                                             ? match_parameters(&encoder->config)
                                             : frequency_parameters(&encoder->config));
}

size_t lcap_compress(struct lcap_encoder *encoder, uint8_t *out, const uint8_t *raw,
                     size_t raw_size, enum lcap_coding coding)
{
    if (coding == LCAP_CODING_NONE || raw_size < MIN_INPUT || !use_coding(encoder, coding))
        return 0;
    /* With less room than the input takes, zstd gives up as soon as it does not pay. */
    size_t size = ZSTD_compress2(encoder->zstd, out, raw_size - 1, raw, raw_size);
    return ZSTD_isError(size) ? 0 : size;
}

enum ludus_status lcap_compressor_create(struct lcap_encoder *encoder)
{
    size_t size = lcap_compressor_memory_bytes(&encoder->config);
    encoder->zstd_memory = lcap_allocate(size);
    if (encoder->zstd_memory == NULL)
        return LUDUS_ERROR_MEMORY;
    encoder->zstd = ZSTD_initStaticCCtx(encoder->zstd_memory, size);
    /* Zeros compress, so that an error is zstd's: it wants more memory than it said. */
    if (encoder->zstd == NULL ||
        lcap_compress(encoder, encoder->output, encoder->scratch, encoder->scratch_capacity,
                      LCAP_CODING_FREQUENCIES) == 0 ||
        lcap_compress(encoder, encoder->output, encoder->scratch, encoder->scratch_capacity,
                      LCAP_CODING_MATCHES) == 0)
        return LUDUS_ERROR_MEMORY;
    return LUDUS_OK;
}

void lcap_compressor_destroy(struct lcap_encoder *encoder)
{
    /* The context lies in the memory. */
    free(encoder->zstd_memory);
}
