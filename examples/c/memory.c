/* The memory of the program that is not a named buffer. wolfSSL's heap is an array, so that it is bounded, and a device needs no malloc. The
   stack is one too: it is filled with a pattern, and where the pattern is gone it was used. */
#include "remote.h"
#include <pthread.h>
#include <stdalign.h>
#include <sys/mman.h>

enum { HEAP = 128 * 1024, STACK = 256 * 1024, PAGE = 4096, PAINT = 0xa5, UNIT = 16 };
/* Blocks lie one behind the other; each begins with its size, which is a multiple of UNIT with itself, and 1 more while it is in use. */
union head { size_t size; alignas(UNIT) unsigned char space[UNIT]; };
static union head heap[HEAP / UNIT];
static size_t used, most;
static alignas(PAGE) unsigned char stack[STACK];
static uintptr_t top;

static void *take(size_t size) {
    if (size > HEAP) return NULL;
    size_t units = (size + 2 * UNIT - 1) / UNIT;
    if (heap[0].size == 0) heap[0].size = HEAP;
    for (size_t i = 0; i < HEAP / UNIT; i += heap[i].size / UNIT) {
        if (heap[i].size & 1) continue; /* An odd size divides as the even one below. */
        for (size_t next = i + heap[i].size / UNIT; next < HEAP / UNIT && !(heap[next].size & 1); next = i + heap[i].size / UNIT)
            heap[i].size += heap[next].size; /* free neighbours are one block */
        if (heap[i].size / UNIT < units) continue;
        if (heap[i].size / UNIT > units) heap[i + units].size = heap[i].size - units * UNIT;
        heap[i].size = units * UNIT + 1, used += units * UNIT;
        if (i + units > most) most = i + units;
        return &heap[i + 1];
    }
    return NULL;
}
static void give_back(void *memory) {
    union head *head = memory;
    if (memory != NULL) used -= --head[-1].size;
}
static void *resize(void *memory, size_t size) {
    void *other = take(size);
    if (memory != NULL && other != NULL) {
        size_t had = ((union head *)memory)[-1].size / UNIT * UNIT - UNIT;
        memcpy(other, memory, had < size ? had : size), give_back(memory);
    }
    return other;
}

size_t memory_heap(void) { return most * UNIT; }
#ifdef __SANITIZE_ADDRESS__
__attribute__((no_sanitize_address))
#endif
size_t memory_stack(void) {
    const unsigned char *p = stack + PAGE;
    while ((uintptr_t)p < top && *p == PAINT) p++;
    return top - (uintptr_t)p;
}

static void *begin(void *body) {
    unsigned char here = 0;
    top = (uintptr_t)&here; /* Above it lie what the C library keeps for each thread, and what wolfSSL does. */
    (*(void (**)(void))body)();
    return NULL;
}
int memory_run(void (*body)(void)) {
    pthread_attr_t attributes;
    pthread_t thread;
    memset(stack, PAINT, sizeof stack);
    if (mprotect(stack, PAGE, PROT_NONE) != 0 || wolfSSL_SetAllocators(take, give_back, resize) != 0) return 1;
    if (pthread_attr_init(&attributes) != 0 || pthread_attr_setstack(&attributes, stack, sizeof stack) != 0) return 1;
    if (pthread_create(&thread, &attributes, begin, &body) != 0) return 1;
    return pthread_join(thread, NULL);
}
