/*
 * alloc.h - the one door to the heap. Sizes are multiplied with a check, and
 * large blocks ask for huge pages, since columns are read at random.
 */
#ifndef TACIT_SRC_BASE_ALLOC_H
#define TACIT_SRC_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* All return NULL when memory runs out or the size overflows. A size of zero
 * gives a block that must be freed like any other. */
void *tacit__alloc(size_t size);
void *tacit__alloc_array(size_t count, size_t size);
void *tacit__alloc_zeroed(size_t count, size_t size);
void *tacit__resize_array(void *block, size_t count, size_t size);
void tacit__free(void *block);

char *tacit__copy_bytes(const char *bytes, size_t len); /* terminated */
char *tacit__copy_text(const char *text);

/* Makes room for at least `needed` entries, growing by half; false when out of memory. */
bool tacit__reserve(void **block, size_t *capacity, size_t needed, size_t size);

/* Gives what has been freed back to the system, where the heap keeps it: before large arrays
 * that cannot use the pieces. */
void tacit__give_back(void);

/* Whether a * b fits, with the product in *out. */
bool tacit__multiply(size_t a, size_t b, size_t *out);

#endif
