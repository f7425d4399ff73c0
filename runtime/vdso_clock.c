/* Looks a symbol up in the ELF image that the kernel maps into every process (vdso(7)). dlopen
 * would find it, too, but takes the loader's lock, which a thread that waits for us may hold. */
#include "vdso_clock.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

#if defined(__x86_64__)
#define SYMBOL "__vdso_clock_gettime"
#elif defined(__aarch64__)
#define SYMBOL "__kernel_clock_gettime"
#endif

#ifdef SYMBOL
struct image {
    const char *bias; /* is added to addresses in the image */
    const ElfW(Sym) * symbols;
    const char *strings;
    const ElfW(Word) * hash; /* DT_HASH */
};

static const void *at(const struct image *image, ElfW(Addr) address)
{
    return image->bias + address;
}

static void read_dynamic(struct image *image, const ElfW(Dyn) * entry)
{
    for (; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_STRTAB)
            image->strings = at(image, entry->d_un.d_ptr);
        else if (entry->d_tag == DT_SYMTAB)
            image->symbols = at(image, entry->d_un.d_ptr);
        else if (entry->d_tag == DT_HASH)
            image->hash = at(image, entry->d_un.d_ptr);
    }
}

static bool open_image(struct image *image)
{
    const char *base = (const char *)getauxval(AT_SYSINFO_EHDR);
    const ElfW(Dyn) *dynamic = NULL;
    bool is_loaded = false;
    if (base == NULL || memcmp(base, ELFMAG, SELFMAG) != 0)
        return false;
    const ElfW(Ehdr) *header = (const void *)base;
    const ElfW(Phdr) *segments = (const void *)(base + header->e_phoff);
    for (unsigned i = 0; i < header->e_phnum; i++) {
        if (segments[i].p_type == PT_LOAD && !is_loaded) {
            image->bias = base + segments[i].p_offset - segments[i].p_vaddr;
            is_loaded = true;
        } else if (segments[i].p_type == PT_DYNAMIC) {
            dynamic = (const void *)(base + segments[i].p_offset);
        }
    }
    if (!is_loaded || dynamic == NULL)
        return false;
    read_dynamic(image, dynamic);
    return image->symbols != NULL && image->strings != NULL && image->hash != NULL;
}

ludus_clock_gettime_fn *ludus_vdso_clock_gettime(void)
{
    struct image image = {0};
    if (!open_image(&image))
        return NULL;
    const uint32_t count = image.hash[1]; /* its chains have a place for each symbol */
    for (uint32_t i = 0; i < count; i++) {
        const ElfW(Sym) *symbol = &image.symbols[i];
        if (symbol->st_shndx != SHN_UNDEF && strcmp(image.strings + symbol->st_name, SYMBOL) == 0)
            return (ludus_clock_gettime_fn *)(uintptr_t)at(&image, symbol->st_value);
    }
    return NULL;
}
#else
ludus_clock_gettime_fn *ludus_vdso_clock_gettime(void)
{
    return NULL;
}
#endif
