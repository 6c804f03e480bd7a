/*
 * keyfile.h - secret keys: the memory and the files that hold them, and the pseudonyms that they
 * make.
 */
#ifndef TACIT_SRC_BASE_KEYFILE_H
#define TACIT_SRC_BASE_KEYFILE_H

#include <tacit/base.h>

enum { TACIT__KEY_BYTES = 32, TACIT__PSEUDONYM_LENGTH = 20 };

/* Guarded, locked memory for a key; free wipes it and accepts NULL. */
tacit_status tacit__key_new(unsigned char **key, tacit_error *err);
void tacit__key_free(unsigned char *key);

/* The key of a file: 64 hexadecimal digits that only the owner may read. With made, a file that is
 * not there is made, with a new key, and *made says so; without, that is an error. */
tacit_status tacit__key_read(unsigned char *key, bool *made, const char *path, tacit_error *err);

/* The pseudonym of a value: the same for the same value and key. Not terminated. */
void tacit__pseudonym(char out[TACIT__PSEUDONYM_LENGTH], tacit_strview value,
                      const unsigned char *key);

#endif
