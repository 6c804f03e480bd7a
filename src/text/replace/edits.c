/*
 * edits.c - comparing by the first and the last letter that differ, and keys of the words
 * that one deletion leaves. A key is a sum over the letters, each times a power that its place
 * gives, so that the key of a word without one letter is computed from sums of its two parts:
 * all keys take one pass each way.
 */
#include "text/replace/edits.h"

#include <string.h>

#include "base/hash.h"

/* Bytes that are equal from the start, or from the end. */
static size_t alike(tacit_strview a, tacit_strview b, bool from_end)
{
    size_t most = a.len < b.len ? a.len : b.len, count = 0;
    while (count < most && (from_end ? a.bytes[a.len - 1 - count] == b.bytes[b.len - 1 - count]
                                     : a.bytes[count] == b.bytes[count]))
        count++;
    return count;
}

bool tacit__one_edit(tacit_strview a, tacit_strview b)
{
    if (a.len > b.len + 1 || b.len > a.len + 1)
        return false;
    size_t head = alike(a, b, false), tail = alike(a, b, true);
    if (a.len != b.len)
        return head + tail >= (a.len < b.len ? a.len : b.len);
    if (head == a.len)
        return false;
    if (head + tail + 1 == a.len)
        return true;
    return head + tail + 2 == a.len && a.bytes[head] == b.bytes[head + 1] &&
           a.bytes[head + 1] == b.bytes[head];
}

size_t tacit__edit_keys(uint64_t keys[TACIT__EDIT_KEYS], tacit_strview word)
{
    static const uint64_t base = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t before = 0, power = 1;
    uint64_t after[TACIT__EDIT_LONGEST + 1]; /* of the letters from here on, one place earlier */
    uint64_t powers[TACIT__EDIT_LONGEST + 1];
    if (word.len < TACIT__EDIT_SHORTEST - 1 || word.len > TACIT__EDIT_LONGEST)
        return 0;
    for (size_t i = 0; i <= word.len; i++, power *= base)
        powers[i] = power;
    after[word.len] = 0;
    for (size_t i = word.len; i-- > 1;)
        after[i] = after[i + 1] + (unsigned char)word.bytes[i] * powers[i - 1];
    for (size_t i = 0; i < word.len; i++) {
        keys[i] = tacit__mix(before + after[i + 1]);
        before += (unsigned char)word.bytes[i] * powers[i];
    }
    keys[word.len] = tacit__mix(before);
    return word.len + 1;
}
