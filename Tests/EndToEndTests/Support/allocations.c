/* Loaded into a program (LD_PRELOAD): counts allocations by who asked for them, in the file that ALLOCATIONS names. Five
   numbers of 8 bytes: by the program itself, by the C library, by other libraries; bytes that are allocated now, and at most. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc(size_t size), *__libc_calloc(size_t count, size_t size), *__libc_realloc(void *old, size_t size);
void __libc_free(void *old);
static long *counts;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("ALLOCATIONS");
    int file = path ? open(path, O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;
    if (file < 0 || ftruncate(file, 40) != 0) return;
    void *shared = mmap(NULL, 40, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (shared != MAP_FAILED) counts = shared;
}

static void count(const void *caller, long bytes) {
    Dl_info info;
    if (counts == NULL) return;
    if (caller != NULL && dladdr(caller, &info)) {
        int is_library = strstr(info.dli_fname, ".so") != NULL;
        counts[!is_library ? 0 : strstr(info.dli_fname, "/libc.so") != NULL ? 1 : 2]++;
    }
    counts[3] += bytes;
    if (counts[3] > counts[4]) counts[4] = counts[3];
}

static long size_of(void *memory) { return memory ? (long)malloc_usable_size(memory) : 0; }

void *malloc(size_t size) {
    void *made = __libc_malloc(size);
    count(__builtin_return_address(0), size_of(made));
    return made;
}

void *calloc(size_t number, size_t size) {
    void *made = __libc_calloc(number, size);
    count(__builtin_return_address(0), size_of(made));
    return made;
}

void *realloc(void *old, size_t size) {
    long before = size_of(old);
    void *made = __libc_realloc(old, size);
    count(__builtin_return_address(0), size_of(made) - before);
    return made;
}

void free(void *old) {
    count(NULL, -size_of(old));
    __libc_free(old);
}
