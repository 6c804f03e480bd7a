/*
 * train.c - learns the weights of the chain of words (src/text/chain/chain.h) from marked text, and
 * measures weights on other marked text. A developer's program, not installed;
 * docs/methods/scrub-training.md says how it is used.
 *
 *   tacit_train [--first WEIGHTS] [--write WEIGHTS] [--set NAME=VALUE]... [--test GOLD.jsonl]...
 *               [--errors N] [GOLD.jsonl]...
 *
 * Marked text is JSON lines: {"text": ..., "spans": [{"start", "end", "label"}]}, offsets in
 * code points. Without text to learn from, the first weights (or, without these, the shipped
 * ones) are measured.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "text/chain/learn.h"
#include "text/chain/model.h"
#include "text/learn/learn.h"

enum { IGNORED = TACIT__LABELS, MAX_FILES = 32, BEFORE = 40 };

static void die(const char *what, const char *which)
{
    fprintf(stderr, "tacit_train: %s%s%s\n", what, which ? " " : "", which ? which : "");
    exit(1);
}

static void require(tacit_status status, const tacit_error *err)
{
    char text[512];
    if (status != TACIT_OK)
        die(tacit_error_format(err, text, sizeof text), NULL);
}

/* A document, its words and their labels. */
typedef struct marked {
    char *text;
    tacit__document document;
    uint8_t *labels;
    bool clean; /* nothing is marked */
} marked;

typedef struct collection {
    marked *items;
    size_t count, capacity;
} collection;

/* Where each code point starts, and the end. */
static size_t *starts_of(const char *text, size_t len, size_t *count)
{
    size_t *starts = malloc((len + 1) * sizeof *starts);
    if (!starts)
        die("out of memory", NULL);
    *count = 0;
    for (size_t i = 0; i < len; i++)
        if (((unsigned char)text[i] & 0xC0) != 0x80)
            starts[(*count)++] = i;
    starts[*count] = len;
    return starts;
}

static void mark_words(marked *m, const json_t *spans, const size_t *starts, size_t points)
{
    size_t index;
    json_t *span;
    json_array_foreach(spans, index, span)
    {
        size_t start = (size_t)json_integer_value(json_object_get(span, "start"));
        size_t end = (size_t)json_integer_value(json_object_get(span, "end"));
        const char *label = json_string_value(json_object_get(span, "label"));
        if (start > end || end > points || !label)
            die("a span that is beyond its text or has no label", NULL);
        size_t first = tacit__document_at(&m->document, (uint32_t)starts[start]);
        if (first > 0 && m->document.words[first - 1].end > starts[start])
            first--;
        for (size_t i = first; i < m->document.count && m->document.words[i].start < starts[end];
             i++)
            m->labels[i] = (uint8_t)tacit__word_label_of(tacit_strview_of(label));
    }
    m->clean = json_array_size(spans) == 0;
}

static void read_document(marked *m, const json_t *object)
{
    const json_t *text = json_object_get(object, "text");
    tacit_error err = {0};
    size_t points, len = json_string_length(text);
    m->text = tacit__copy_bytes(json_string_value(text), len);
    require(tacit__document_read(&m->document, (tacit_strview){.bytes = m->text, .len = len}, &err),
            &err);
    m->labels = calloc(m->document.count + 1, 1);
    size_t *starts = starts_of(m->text, len, &points);
    if (!m->labels)
        die("out of memory", NULL);
    mark_words(m, json_object_get(object, "spans"), starts, points);
    free(starts);
}

static void read_collection(collection *c, const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    if (!file)
        die("cannot open", path);
    while (getline(&line, &size, file) > 0) {
        json_t *object = json_loads(line, 0, NULL);
        if (!json_is_object(object) || !json_is_string(json_object_get(object, "text")))
            die("a line that is no marked text in", path);
        if (!tacit__reserve((void **)&c->items, &c->capacity, c->count + 1, sizeof *c->items))
            die("out of memory", NULL);
        c->items[c->count] = (marked){0};
        read_document(&c->items[c->count++], object);
        json_decref(object);
    }
    free(line);
    fclose(file);
}

static void clear_collection(collection *c)
{
    for (size_t i = 0; i < c->count; i++) {
        tacit__free(c->items[i].text);
        tacit__document_clear(&c->items[i].document);
        free(c->items[i].labels);
    }
    tacit__free(c->items);
}

static void learn(tacit__strbuf *out, const collection *c, const tacit__chain *first,
                  const tacit__chain_options *options)
{
    tacit__teacher *teacher;
    tacit__lessons lessons;
    tacit_error err = {0};
    double start = (double)clock() / CLOCKS_PER_SEC;
    require(tacit__teacher_new(&teacher, first, options, &err), &err);
    for (size_t i = 0; i < c->count; i++)
        require(tacit__teacher_count(teacher, &c->items[i].document, &err), &err);
    require(tacit__teacher_settle(teacher, &err), &err);
    for (size_t i = 0; i < c->count; i++) {
        marked *m = &c->items[i];
        for (size_t w = 0; w < m->document.count; w++)
            if (m->labels[w] == IGNORED)
                m->labels[w] = TACIT__LABEL_OTHER;
        require(tacit__teacher_add(teacher, &m->document, m->labels, &err), &err);
    }
    require(tacit__teacher_learn(&lessons, teacher, &err), &err);
    require(tacit__teacher_write(out, teacher, &err), &err);
    printf(
        "%zu documents, %zu words, %zu named ones missed; loss %.4f -> %.4f, %.1f s, %zu bytes\n",
        c->count, lessons.words, lessons.missed, lessons.started, lessons.ended,
        (double)clock() / CLOCKS_PER_SEC - start, out->len);
    tacit__teacher_free(teacher);
}

enum { THRESHOLDS = 5 };
static const int thresholds[THRESHOLDS] = {30, 40, 50, 60, 70};

typedef struct counts {
    size_t named, right_label, found[THRESHOLDS], wrong[THRESHOLDS];
    size_t clean, touched[THRESHOLDS];
} counts;

static void show_error(const marked *m, size_t i, const tacit__opinion *opinion, bool missed)
{
    const tacit__word *word = &m->document.words[i];
    uint32_t from = word->start > BEFORE ? word->start - BEFORE : 0;
    uint32_t to = word->end + BEFORE < m->document.text.len ? word->end + BEFORE
                                                            : (uint32_t)m->document.text.len;
    printf("  %s %s %3d  ", missed ? "missed" : "wrong ",
           missed ? tacit__label_name(m->labels[i]) : "-", opinion->of[0]);
    for (uint32_t at = from; at < to; at++) {
        if (at == word->start || at == word->end)
            fputs(at == word->start ? "[[" : "]]", stdout);
        putchar(m->text[at] == '\n' ? '|' : m->text[at]);
    }
    putchar('\n');
}

static void count_document(counts *c, const marked *m, const tacit__opinion *opinions, int *errors)
{
    bool touched[THRESHOLDS] = {0};
    for (size_t i = 0; i < m->document.count; i++) {
        int likely = 100 - opinions[i].of[TACIT__LABEL_OTHER];
        bool named = m->labels[i] != TACIT__LABEL_OTHER;
        if (m->labels[i] == IGNORED)
            continue;
        c->named += named;
        for (int t = 0; t < THRESHOLDS; t++) {
            c->found[t] += named && likely >= thresholds[t];
            c->wrong[t] += !named && likely >= thresholds[t];
            touched[t] |= likely >= thresholds[t];
        }
        c->right_label += named && opinions[i].of[m->labels[i]] * 2 >= likely && likely >= 50;
        if (named != (likely >= 50) && *errors > 0) {
            --*errors;
            show_error(m, i, &opinions[i], named);
        }
    }
    c->clean += m->clean;
    for (int t = 0; t < THRESHOLDS; t++)
        c->touched[t] += m->clean && touched[t];
}

static double ratio(size_t part, size_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 1;
}

static void measure(const char *path, const tacit__chain *model, int errors)
{
    collection c = {0};
    counts sums = {0};
    tacit__chain_scratch scratch = {0};
    tacit_error err = {0};
    read_collection(&c, path);
    for (size_t i = 0; i < c.count; i++) {
        const marked *m = &c.items[i];
        tacit__opinion *opinions = malloc((m->document.count + 1) * sizeof *opinions);
        if (!opinions)
            die("out of memory", NULL);
        require(tacit__chain_judge(opinions, model, &m->document, &scratch, &err), &err);
        count_document(&sums, m, opinions, &errors);
        free(opinions);
    }
    printf("%s: %zu named words, %.4f of those found with the right label; %zu clean documents\n",
           path, sums.named, ratio(sums.right_label, sums.found[2]), sums.clean);
    for (int t = 0; t < THRESHOLDS; t++)
        printf("  threshold %d: recall %.4f precision %.4f, clean touched %zu\n", thresholds[t],
               ratio(sums.found[t], sums.named),
               ratio(sums.found[t], sums.found[t] + sums.wrong[t]), sums.touched[t]);
    tacit__chain_scratch_clear(&scratch);
    clear_collection(&c);
}

static tacit__strbuf read_file(const char *path)
{
    tacit__strbuf text = {0};
    FILE *file = fopen(path, "r");
    char block[4096];
    size_t got;
    if (!file)
        die("cannot open", path);
    while ((got = fread(block, 1, sizeof block, file)) > 0)
        tacit__strbuf_add(&text, block, got);
    fclose(file);
    return text;
}

static tacit__chain *chain_of(const tacit__strbuf *text)
{
    tacit__chain *model;
    tacit_error err = {0};
    require(tacit__chain_new(&model, (tacit_strview){.bytes = text->bytes, .len = text->len}, &err),
            &err);
    return model;
}

static void set(tacit__chain_options *options, const char *text)
{
    const char *value = strchr(text, '=');
    double number = value ? atof(value + 1) : 0;
    size_t len = value ? (size_t)(value - text) : 0;
#define IS(name) (len == strlen(name) && memcmp(text, name, len) == 0)
    if (IS("rounds"))
        options->rounds = (int)number;
    else if (IS("step"))
        options->step = number;
    else if (IS("toll"))
        options->toll = number;
    else if (IS("shrink"))
        options->shrink = number;
    else if (IS("forget"))
        options->forget = number;
    else if (IS("words"))
        options->word_often = (uint32_t)number;
    else if (IS("endings"))
        options->ending_often = (uint32_t)number;
    else if (IS("seed"))
        options->seed = (uint64_t)number;
    else
        die("--set knows rounds, step, toll, shrink, forget, words, endings and seed, not", text);
#undef IS
}

typedef struct arguments {
    const char *first, *write;
    const char *tests[MAX_FILES];
    int test_count, errors;
    tacit__chain_options options;
    collection lessons;
} arguments;

static void read_arguments(arguments *a, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-') {
            read_collection(&a->lessons, argv[i]);
            continue;
        }
        if (i + 1 == argc)
            die("a value is missing after", argv[i]);
        const char *flag = argv[i], *value = argv[++i];
        if (strcmp(flag, "--first") == 0)
            a->first = value;
        else if (strcmp(flag, "--write") == 0)
            a->write = value;
        else if (strcmp(flag, "--set") == 0)
            set(&a->options, value);
        else if (strcmp(flag, "--errors") == 0)
            a->errors = atoi(value);
        else if (strcmp(flag, "--test") == 0 && a->test_count < MAX_FILES)
            a->tests[a->test_count++] = value;
        else
            die("unknown, or too many of", flag);
    }
}

static void write_file(const char *path, const tacit__strbuf *text)
{
    FILE *file = fopen(path, "w");
    if (!file || fwrite(text->bytes, 1, text->len, file) != text->len || fclose(file) != 0)
        die("cannot write", path);
}

int main(int argc, char **argv)
{
    arguments a = {0};
    tacit__strbuf text = {0};
    tacit__chain_options_init(&a.options);
    read_arguments(&a, argc, argv);
    if (a.first)
        text = read_file(a.first);
    tacit__chain *model = a.first || a.lessons.count == 0 ? chain_of(&text) : NULL;
    if (a.lessons.count > 0) {
        tacit__strbuf_clear(&text);
        tacit__strbuf_text(&text, "# Weights of the chain of words; docs/methods/scrub-training.md "
                                  "says how they are learned.\n");
        learn(&text, &a.lessons, model, &a.options);
        tacit__chain_free(model);
        model = chain_of(&text);
    }
    if (a.write)
        write_file(a.write, &text);
    for (int i = 0; i < a.test_count; i++)
        measure(a.tests[i], model, a.errors);
    tacit__chain_free(model);
    tacit__strbuf_clear(&text);
    clear_collection(&a.lessons);
    return 0;
}
