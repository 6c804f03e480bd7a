/*
 * fuzz_ledger.c - entries of a ledger from arbitrary bytes.
 *
 * The bytes are read as they are, and once more with a checksum that is right and the name of a
 * key of zeros where they say KEY, since otherwise nothing would get past the checksum. Beyond not
 * crashing: a refusal says why and leaves nothing; what is accepted has the rows and classes that
 * it says, and, written again, is read as the same.
 */
#include <tacit/experimental/ledger.h>

#include "../support/fuzz_require.h"
#include "base/strbuf.h"
#include "ledger/ledger.h"

static const unsigned char NO_KEY[TACIT__LEDGER_KEY];

static void require_rows(const tacit_ledger_entry *entry, const tacit__summary *summary)
{
    tacit__class_reader reader = {summary, 0};
    uint32_t *indices = calloc((size_t)entry->column_count, sizeof *indices);
    int64_t classes = 0, rows = 0, count = 0;
    bool broken = false;
    for (; tacit__class_next(&reader, indices, &count, &broken); rows += count)
        classes++;
    require(!broken, "a summary that is broken");
    require(classes == entry->classes && rows == entry->rows, "other rows than it says");
    free(indices);
}

static void require_same(const tacit_ledger_entry *entry, const tacit__summary *summary)
{
    tacit__strbuf text = {0}, again = {0};
    tacit_ledger_entry read = {0};
    tacit__summary held = {0};
    tacit_error err = {0};
    tacit__entry_write(&text, entry, summary, NO_KEY);
    require(!text.failed, "no memory");
    tacit_status status = tacit__entry_parse(&read, &held, (tacit_strview){text.bytes, text.len},
                                             "again", NO_KEY, &err);
    require(status == TACIT_OK, "what was written is refused");
    tacit__entry_write(&again, &read, &held, NO_KEY);
    require(again.len == text.len && memcmp(again.bytes, text.bytes, text.len) == 0,
            "written differently");
    tacit__strbuf_clear(&text);
    tacit__strbuf_clear(&again);
    tacit__entry_clear(&read);
    tacit__summary_clear(&held);
}

static void read_entry(tacit_strview bytes)
{
    tacit_ledger_entry entry = {0};
    tacit__summary summary = {0};
    tacit_error err = {0};
    tacit_status status = tacit__entry_parse(&entry, &summary, bytes, "entry", NO_KEY, &err);
    require_reason(status, &err);
    require(status == TACIT_OK || (!entry.columns && !summary.labels), "something is left");
    if (status == TACIT_OK) {
        require_rows(&entry, &summary);
        require_same(&entry, &summary);
    }
    tacit__entry_clear(&entry);
    tacit__summary_clear(&summary);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char name[TACIT_LEDGER_HASH + 1];
    if (sodium_init() < 0)
        return 0;
    read_entry((tacit_strview){(const char *)data, size});
    tacit__key_name(name, NO_KEY);
    tacit__strbuf text = {0};
    for (size_t at = 0; at < size;) {
        bool here = size - at >= 3 && memcmp(data + at, "KEY", 3) == 0;
        tacit__strbuf_add(&text, here ? name : (const char *)data + at, here ? strlen(name) : 1);
        at += here ? 3 : 1;
    }
    tacit__entry_checksum(&text, NO_KEY);
    read_entry((tacit_strview){text.bytes, text.len});
    tacit__strbuf_clear(&text);
    return 0;
}
