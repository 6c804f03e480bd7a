/*
 * fuzz_keyfile.c - any bytes as a key file. What is accepted are 64 hexadecimal digits and at most
 * an end of line, read as another hand reads them; a refusal says why and shows nothing of the
 * file.
 */
#include "../support/fuzz_file.h"

#include "base/keyfile.h"

static bool is_key(const uint8_t *data, size_t size)
{
    const uint8_t *end = data + size;
    end -= size > 0 && end[-1] == '\n';
    end -= end > data && end[-1] == '\r';
    size_t digits = 0;
    while (digits < (size_t)(end - data) && strchr("0123456789abcdefABCDEF", data[digits]) &&
           data[digits])
        digits++;
    return digits == 2 * TACIT__KEY_BYTES && digits == (size_t)(end - data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzz_file file;
    static unsigned char *key;
    tacit_error err = {0};
    if (!key)
        require(tacit__key_new(&key, &err) == TACIT_OK, "no memory for a key");
    tacit_status status = tacit__key_read(key, NULL, fuzz_file_set(&file, data, size), &err);
    require_reason(status, &err);
    require((status == TACIT_OK) == is_key(data, size), "another hand reads it otherwise");
    for (int i = 0; status == TACIT_OK && i < TACIT__KEY_BYTES; i++) {
        char digits[3] = {(char)data[2 * i], (char)data[2 * i + 1], '\0'};
        require(key[i] == strtoul(digits, NULL, 16), "another key");
    }
    return 0;
}
