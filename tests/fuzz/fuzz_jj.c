/*
 * fuzz_jj.c - any bytes as a .jj file. Whatever is accepted holds together, and comes back the
 * same when it is written; whatever is refused says why and where.
 */
#include "../support/fuzz_require.h"

#include <sys/mman.h>
#include <tacit/experimental/cells.h>
#include <unistd.h>

static void check_relations(const tacit_cells *cells)
{
    const tacit_relations *all = &cells->relations;
    for (int32_t r = 0; r < all->count; r++) {
        require(all->starts[r] < all->starts[r + 1], "a relation without cells");
        for (int64_t j = all->starts[r]; j < all->starts[r + 1]; j++) {
            require(all->items[j] >= 0 && all->items[j] < cells->count, "an index out of range");
            for (int64_t k = all->starts[r]; k < j && k < all->starts[r] + 50; k++)
                require(all->items[k] != all->items[j], "a cell named twice");
        }
    }
}

static void compare(const tacit_cells *a, const tacit_cells *b)
{
    int64_t terms = a->relations.starts[a->relations.count];
    require(a->count == b->count && a->relations.count == b->relations.count, "other sizes");
    require(!memcmp(a->status, b->status, (size_t)a->count), "another status");
    for (int32_t i = 0; i < a->count; i++)
        require(a->value[i] == b->value[i] && a->cost[i] == b->cost[i] &&
                    a->lower[i] == b->lower[i] && a->upper[i] == b->upper[i] &&
                    a->lpl[i] == b->lpl[i] && a->upl[i] == b->upl[i] && a->spl[i] == b->spl[i],
                "another number");
    require(terms == b->relations.starts[b->relations.count], "other relations");
    for (int64_t j = 0; j < terms; j++)
        require(a->relations.items[j] == b->relations.items[j] &&
                    a->relations.coefs[j] == b->relations.coefs[j],
                "another term");
}

static void write_again(const tacit_cells *cells)
{
    int fd = memfd_create("jj", 0);
    tacit_cells *again = NULL;
    require(fd >= 0, "no memory file");
    require(tacit_cells_write_jj(fd, "jj", cells, NULL, NULL) == TACIT_OK, "not written");
    size_t len = (size_t)lseek(fd, 0, SEEK_END);
    char *text = malloc(len);
    require(text && pread(fd, text, len, 0) == (ssize_t)len, "not read");
    require(tacit_cells_parse_jj(&again, (tacit_strview){text, len}, "jj", 0, NULL, NULL) ==
                TACIT_OK,
            "what was written is refused");
    compare(cells, again);
    tacit_cells_free(again);
    free(text);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tacit_cells *cells = NULL;
    tacit_error err = {0};
    tacit_status status = tacit_cells_parse_jj(&cells, (tacit_strview){(const char *)data, size},
                                               "f.jj", 0, NULL, &err);
    require_reason(status, &err);
    require((cells != NULL) == (status == TACIT_OK), "an output after failure");
    if (!cells) {
        require(err.line > 0, "refused without a place");
        return 0;
    }
    check_relations(cells);
    write_again(cells);
    tacit_cells_check(cells, NULL);
    tacit_cells_free(cells);
    return 0;
}
