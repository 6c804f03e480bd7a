/*
 * pack.c LIST OUT - makes the tables that src/text/lexicon/tables.c puts into the library.
 *
 * Run by CMake when the list is newer than the tables; about a second. Whole numbers only,
 * so that every machine makes the same bytes.
 */
#include "pack.h"

#include <stdlib.h>
#include <string.h>

_Noreturn void pack_fail(const char *what)
{
    fprintf(stderr, "pack: %s\n", what);
    exit(1);
}

void *pack_alloc(size_t count, size_t size)
{
    void *block = calloc(count, size);
    if (!block)
        pack_fail("out of memory");
    return block;
}

/* Appends bytes at the next multiple of TACIT__TABLES_ALIGN; returns where that was. */
static uint64_t append(FILE *out, const void *bytes, size_t count, size_t size)
{
    static const char zeros[TACIT__TABLES_ALIGN];
    long at = ftell(out);
    size_t gap = (TACIT__TABLES_ALIGN - (size_t)at % TACIT__TABLES_ALIGN) % TACIT__TABLES_ALIGN;
    if (at < 0 || fwrite(zeros, 1, gap, out) != gap || fwrite(bytes, size, count, out) != count)
        pack_fail("cannot write");
    return (uint64_t)at + gap;
}

static void append_lookup(tacit__tables_header *header, FILE *out, const pack_list *list)
{
    tacit__boolean lookup;
    if (tacit__boolean_init(&lookup, list->word_count, NULL) != TACIT_OK)
        pack_fail("out of memory");
    for (size_t i = 0; i < list->word_count; i++)
        tacit__boolean_add(&lookup, list->words[i].hash);
    header->blocks = lookup.blocks;
    header->bits_at = append(out, lookup.bits, lookup.blocks, TACIT__BOOLEAN_BLOCK / 8);
    tacit__boolean_clear(&lookup);
}

static void append_all(tacit__tables_header *header, FILE *out, const pack_list *list)
{
    uint16_t *cells = pack_map(&header->seed, &header->part, list);
    tacit__letter_cost *costs = pack_letters(list);
    uint64_t *pairs = pack_pairs(list);
    append_lookup(header, out, list);
    header->words = list->word_count;
    header->classes = list->class_count;
    header->nicknames = list->nickname_count;
    header->cells_at = append(out, cells, TACIT__MAP_PARTS * header->part, sizeof *cells);
    header->classes_at = append(out, list->classes, list->class_count, sizeof *list->classes);
    header->nicknames_at =
        append(out, list->nicknames, list->nickname_count + 1, sizeof *list->nicknames);
    header->names_at = append(out, list->names, list->nicknames[list->nickname_count], 1);
    header->zips_at = append(out, list->zips, 1000, sizeof *list->zips);
    header->costs_at = append(out, costs, TACIT__LETTERS_TABLE, sizeof *costs);
    header->pairs_at = append(out, pairs, TACIT__PAIR_WORDS, sizeof *pairs);
    free(cells);
    free(costs);
    free(pairs);
}

static void free_list(pack_list *list)
{
    free(list->classes);
    free(list->words);
    free(list->nicknames);
    free(list->names);
    free(list->zips);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        pack_fail("usage: pack LIST OUT");
    FILE *in = fopen(argv[1], "rb");
    FILE *out = fopen(argv[2], "wb");
    if (!in || !out)
        pack_fail("cannot open the list or the tables");
    pack_list list = {0};
    tacit__tables_header header = {0};
    pack_read(&list, in);
    append(out, &header, 1, sizeof header);
    append_all(&header, out, &list);
    rewind(out);
    append(out, &header, 1, sizeof header);
    free_list(&list);
    if (fclose(out) != 0)
        pack_fail("cannot write");
    fclose(in);
    return 0;
}
