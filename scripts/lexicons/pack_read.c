/*
 * pack_read.c - reading data/text/lexicon.lst, whose form is described in make.py. The list is
 * part of the sources, so a mistake in it is a mistake of ours: it is found, and ends all.
 */
#include <stdlib.h>
#include <string.h>

#include "pack.h"

enum { LINE = 4096, FRONT = '!', MAX = 10000000 };

/* A line without its end. */
static size_t read_line(char line[LINE], FILE *file)
{
    if (!fgets(line, LINE, file))
        pack_fail("the list ends too early");
    size_t len = strlen(line);
    if (len == 0 || line[len - 1] != '\n')
        pack_fail("a line of the list is too long");
    line[--len] = '\0';
    return len;
}

/* "NAME COUNT" */
static size_t read_count(FILE *file, const char *name)
{
    char line[LINE];
    read_line(line, file);
    size_t len = strlen(name);
    if (strncmp(line, name, len) != 0 || line[len] != ' ')
        pack_fail("a section of the list is missing");
    size_t count = strtoul(line + len + 1, NULL, 10);
    if (count == 0 || count > MAX)
        pack_fail("a section of the list has an odd size");
    return count;
}

static void read_class(tacit__lexicon_entry *entry, FILE *file)
{
    char line[LINE];
    unsigned lists, first, surname, word, city;
    read_line(line, file);
    if (sscanf(line, "%x %u %u %u %u", &lists, &first, &surname, &word, &city) != 5 ||
        lists >> TACIT__LISTS != 0 || first > 7 || surname > 7 || word > 7 || city > 7)
        pack_fail("a class of the list is wrong");
    *entry = (tacit__lexicon_entry){.lists = lists,
                                    .first = (uint8_t)first,
                                    .surname = (uint8_t)surname,
                                    .word = (uint8_t)word,
                                    .city = (uint8_t)city};
}

/* Front coded: the word before gives the first bytes. */
static void read_word(pack_word *word, const pack_word *before, size_t classes, FILE *file)
{
    char line[LINE];
    size_t len = read_line(line, file), shared = (size_t)(line[0] - FRONT), end = 1;
    while (end < len && !(line[end] >= 'A' && line[end] <= 'Z'))
        end++;
    if (len < 2 || end == len || shared > (before ? before->len : 0) ||
        shared + end - 1 > TACIT__FOLDED_MAX)
        pack_fail("a word of the list is wrong");
    if (shared > 0)
        memcpy(word->bytes, before->bytes, shared);
    memcpy(word->bytes + shared, line + 1, end - 1);
    word->len = (uint8_t)(shared + end - 1);
    word->hash = tacit__hash_bytes128(word->bytes, word->len);
    for (; end < len; end++)
        word->class_number = word->class_number * 26 + (uint32_t)(line[end] - 'A');
    if (word->class_number >= classes)
        pack_fail("a word of the list has no class");
}

/* Lines as they are, one after the other. */
static void read_nicknames(pack_list *list, FILE *file)
{
    size_t len = 0, room = LINE;
    list->nickname_count = read_count(file, "nicknames");
    list->nicknames = pack_alloc(list->nickname_count + 1, sizeof *list->nicknames);
    list->names = pack_alloc(room, 1);
    for (size_t i = 0; i < list->nickname_count; i++) {
        char line[LINE];
        size_t more = read_line(line, file);
        if (len + more > room) {
            char *larger = pack_alloc(room *= 2, 1);
            memcpy(larger, list->names, len);
            free(list->names);
            list->names = larger;
        }
        memcpy(list->names + len, line, more);
        len += more;
        list->nicknames[i + 1] = (uint32_t)len;
    }
}

/* "021 MA 7FF...": three digits, state, 100 bits with 00 first. */
static void read_zip(tacit__zip_prefix *zips, FILE *file)
{
    char line[LINE];
    size_t len = read_line(line, file), prefix = strtoul(line, NULL, 10);
    if (len != 32 || prefix > 999)
        pack_fail("a line of zip codes is wrong");
    if (line[4] != '-')
        memcpy(zips[prefix].state, line + 4, 2);
    for (unsigned code = 0; code < 100; code++) {
        char digit[2] = {line[7 + code / 4], '\0'};
        if (strtoul(digit, NULL, 16) >> (3 - code % 4) & 1)
            zips[prefix].codes[code / 64] |= UINT64_C(1) << (code % 64);
    }
}

void pack_read(pack_list *list, FILE *file)
{
    list->class_count = read_count(file, "classes");
    if (list->class_count > UINT16_MAX)
        pack_fail("too many classes");
    list->classes = pack_alloc(list->class_count, sizeof *list->classes);
    for (size_t i = 0; i < list->class_count; i++)
        read_class(&list->classes[i], file);
    list->word_count = read_count(file, "words");
    list->words = pack_alloc(list->word_count, sizeof *list->words);
    for (size_t i = 0; i < list->word_count; i++)
        read_word(&list->words[i], i > 0 ? &list->words[i - 1] : NULL, list->class_count, file);
    read_nicknames(list, file);
    list->zips = pack_alloc(1000, sizeof *list->zips);
    for (size_t left = read_count(file, "zips"); left > 0; left--)
        read_zip(list->zips, file);
}
