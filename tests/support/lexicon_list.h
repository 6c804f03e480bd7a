/*
 * lexicon_list.h - data/text/lexicon.lst, read by a reader of the tests' own: what the lists
 * say, against what the library answers.
 */
#ifndef TACIT_TESTS_LEXICON_LIST_H
#define TACIT_TESTS_LEXICON_LIST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/lexicon/lexicon.h"

typedef struct listed_word {
    char text[80];
    tacit__lexicon_entry entry;
} listed_word;

typedef struct listed_words {
    size_t count;
    listed_word *words;
} listed_words;

static inline size_t listed_section(FILE *file, const char *name)
{
    char found[16];
    size_t count;
    assert_int_equal(fscanf(file, "%15s %zu\n", found, &count), 2);
    assert_string_equal(found, name);
    return count;
}

static inline tacit__lexicon_entry *listed_classes(FILE *file, size_t *count)
{
    *count = listed_section(file, "classes");
    tacit__lexicon_entry *classes = calloc(*count, sizeof *classes);
    assert_non_null(classes);
    for (size_t i = 0; i < *count; i++) {
        int weight[4];
        assert_int_equal(fscanf(file, "%x %d %d %d %d\n", &classes[i].lists, &weight[0], &weight[1],
                                &weight[2], &weight[3]),
                         5);
        classes[i].first = weight[0];
        classes[i].surname = weight[1];
        classes[i].word = weight[2];
        classes[i].city = weight[3];
    }
    return classes;
}

static inline listed_words listed_read(void)
{
    FILE *file = fopen(TACIT_SOURCE_DIR "/data/text/lexicon.lst", "r");
    assert_non_null(file);
    size_t class_count;
    tacit__lexicon_entry *classes = listed_classes(file, &class_count);
    listed_words list = {.count = listed_section(file, "words")};
    list.words = calloc(list.count, sizeof *list.words);
    assert_non_null(list.words);
    char text[256] = "", line[256];
    for (size_t i = 0; i < list.count; i++) {
        assert_non_null(fgets(line, sizeof line, file));
        size_t len = strcspn(line + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), number = 0;
        memcpy(text + (line[0] - '!'), line + 1, len);
        text[line[0] - '!' + len] = '\0';
        for (const char *c = line + 1 + len; *c != '\n'; c++)
            number = number * 26 + (*c - 'A');
        assert_true(number < class_count);
        assert_true(strlen(text) < sizeof list.words[i].text);
        memcpy(list.words[i].text, text, strlen(text));
        list.words[i].entry = classes[number];
    }
    free(classes);
    fclose(file);
    return list;
}

#endif
