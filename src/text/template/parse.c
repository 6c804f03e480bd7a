/*
 * parse.c - reads files of templates (docs/methods/templates.md), line by line:
 *
 *   # a comment
 *   @month = {jan, january, feb, february}
 *   date 95 d*1-2 @month dddd
 *   card luhn 90 dddd-dddd-dddd-dddd
 *
 * A line is a definition, or a kind, perhaps a check, a likelihood and a pattern. Names last
 * to the end of all files, so that the data holder's templates can use the shipped ones; a
 * later definition of a name replaces the earlier one for the lines below it.
 *
 * A pattern is read into a tree by recursive descent over its line:
 *
 *   sequence = { element [ "*" [ least [ "+" | "-" most ] ] ] }
 *   element  = word | d... | ? | & | ^ | _ | blank | "{" sequence { "," sequence } "}"
 *            | "[" sequence { "," sequence } "]" | "<" sequence ">" | @name | "text" | \c | c
 *
 * Every element is added to the tree as soon as it is read; a tree that grows too large is
 * refused at the element that makes it so. Nesting is bounded, and so is a line.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/error.h"
#include "text/template/tree.h"

/* ---- names ---- */

enum { NAME_MAX = 32 };

struct tacit__template_name {
    char bytes[NAME_MAX];
    size_t len;
    uint32_t root;
};

/* The tree of "@month"; false where nothing is called so. */
static bool pattern_named(uint32_t *out, const tacit__trees *trees, tacit_strview name)
{
    for (size_t i = trees->name_count; i-- > 0;) {
        const struct tacit__template_name *entry = &trees->names[i];
        if (entry->len == name.len && memcmp(entry->bytes, name.bytes, name.len) == 0) {
            *out = entry->root;
            return true;
        }
    }
    return false;
}

/* ---- patterns ---- */

/* A line of which a pattern is being read. */
typedef struct pattern_line {
    tacit__trees *trees;
    tacit_strview line;
    size_t at; /* of the line */
    int64_t number;
    const char *file;
    bool may_span;
    int nesting, spans;
    tacit_status status;
    tacit_error *err;
} pattern_line;

enum {
    NESTING = 20,
    BLANKS = 3, /* a blank stands for up to so many */
    REPEAT_MAX = 200
};

static bool one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static char peek(const pattern_line *p)
{
    return p->at < p->line.len ? p->line.bytes[p->at] : '\0';
}

/* Says what is wrong at a column, with the value and what to do; returns false. */
static bool pattern_fail(pattern_line *p, size_t at, const char *problem, tacit_strview value,
                         const char *advice)
{
    tacit__shown shown = tacit__show(value);
    p->status = tacit__error_at(p->err, TACIT_PARSE, p->file, p->number, (int64_t)at + 1,
                                "%s '%s': %s", problem, shown.text, advice);
    return false;
}

static bool fail_here(pattern_line *p, const char *problem, const char *advice)
{
    tacit_strview value = {p->line.bytes + p->at, p->at < p->line.len};
    return pattern_fail(p, p->at, problem, value, advice);
}

static bool starved(pattern_line *p)
{
    p->status = tacit__nomem(p->err);
    return false;
}

static bool pair(uint32_t *out, pattern_line *p, tacit__template_branch branch, uint32_t a,
                 uint32_t b)
{
    if (!tacit__trees_pair(out, p->trees, branch, a, b))
        return starved(p);
    if (!tacit__trees_fits(p->trees, *out))
        return fail_here(p, "the template is too large at",
                         "write smaller repetitions, or make it two templates");
    return true;
}

static bool repeat(uint32_t *out, pattern_line *p, uint32_t node, unsigned least, unsigned most)
{
    if (!tacit__trees_repeat(out, p->trees, node, (uint16_t)least, (uint16_t)most))
        return starved(p);
    if (!tacit__trees_fits(p->trees, *out))
        return fail_here(p, "the template is too large at",
                         "write smaller repetitions, or make it two templates");
    return true;
}

static bool bytes(uint32_t *out, pattern_line *p, const tacit__bytes *set)
{
    return tacit__trees_bytes(out, p->trees, set) || starved(p);
}

static void add_range(tacit__bytes *set, int first, int last)
{
    for (int byte = first; byte <= last; byte++)
        tacit__bytes_add(set, (unsigned char)byte);
}

static bool range(uint32_t *out, pattern_line *p, const char *ranges)
{
    tacit__bytes set = {0};
    for (; *ranges; ranges += 2)
        add_range(&set, (unsigned char)ranges[0], (unsigned char)ranges[1]);
    return bytes(out, p, &set);
}

/* One byte; a letter in either case unless exact. */
static bool literal(uint32_t *out, pattern_line *p, char c, bool exact)
{
    tacit__bytes set = {0};
    tacit__bytes_add(&set, (unsigned char)c);
    if (tacit__is_letter(c) && !exact)
        tacit__bytes_add(&set, (unsigned char)(c ^ 32));
    return bytes(out, p, &set);
}

/* From the end, so that the first byte is at the top of the tree, where alternatives that
 * start alike are joined. */
static bool literals(uint32_t *out, pattern_line *p, tacit_strview text, bool exact)
{
    if (!literal(out, p, text.bytes[text.len - 1], exact))
        return false;
    for (size_t i = text.len - 1; i-- > 0;) {
        uint32_t first;
        if (!literal(&first, p, text.bytes[i], exact) ||
            !pair(out, p, TACIT__BRANCH_THEN, first, *out))
            return false;
    }
    return true;
}

/* The ASCII character, or one of those of UTF-8 that begin with the two bytes and end in one
 * of the range: a dash for a hyphen, a raised comma for an apostrophe. */
static bool or_beyond(uint32_t *out, pattern_line *p, char c, const char *start, const char *ends)
{
    uint32_t plain, beyond, end;
    return literal(&plain, p, c, true) && literals(&beyond, p, tacit_strview_of(start), true) &&
           range(&end, p, ends) && pair(&beyond, p, TACIT__BRANCH_THEN, beyond, end) &&
           pair(out, p, TACIT__BRANCH_OR, plain, beyond);
}

/* A blank, a tab, or a byte of the two that are a blank without a break. */
static bool one_blank(uint32_t *out, pattern_line *p)
{
    return range(out, p, "  \t\t\xc2\xc2\xa0\xa0");
}

/* Up to three blanks, or none. */
static bool blank(uint32_t *out, pattern_line *p)
{
    while (tacit__is_blank(peek(p)))
        p->at++;
    return one_blank(out, p) && repeat(out, p, *out, 0, BLANKS);
}

/* "_": blanks, at least one, or the end of a line and the next one's indentation. */
static bool gap(uint32_t *out, pattern_line *p)
{
    uint32_t blanks, some, none, line, back;
    p->at++;
    return one_blank(&blanks, p) && repeat(&some, p, blanks, 1, TACIT__UNBOUNDED) &&
           repeat(&none, p, blanks, 0, TACIT__UNBOUNDED) && literal(&back, p, '\r', true) &&
           repeat(&back, p, back, 0, 1) && literal(&line, p, '\n', true) &&
           pair(&line, p, TACIT__BRANCH_THEN, back, line) &&
           pair(&line, p, TACIT__BRANCH_THEN, none, line) &&
           pair(&line, p, TACIT__BRANCH_THEN, line, none) &&
           pair(out, p, TACIT__BRANCH_OR, some, line);
}

static bool wild(uint32_t *out, pattern_line *p, bool digits, unsigned least)
{
    tacit__bytes set = {0};
    add_range(&set, 0x21, 0x7e);
    add_range(&set, 0x80, 0xff);
    for (unsigned char byte = '0'; byte <= '9' && !digits; byte++)
        set.bits[byte >> 6] &= ~(UINT64_C(1) << (byte & 63));
    return bytes(out, p, &set) && repeat(out, p, *out, least, TACIT__UNBOUNDED);
}

/* "ext*": a word, and more of it where a star follows. */
static bool word(uint32_t *out, pattern_line *p, tacit_strview text)
{
    uint32_t more;
    if (!literals(out, p, text, false))
        return false;
    if (peek(p) != '*')
        return true;
    p->at++;
    if (tacit__is_digit(peek(p)))
        return fail_here(p, "a word cannot be repeated", "put it into braces, as in {ab}*2");
    return wild(&more, p, false, 0) && pair(out, p, TACIT__BRANCH_THEN, *out, more);
}

/* "ddd": digits, the last of which a star may repeat. */
static bool digits(uint32_t *out, pattern_line *p, size_t count)
{
    if (!range(out, p, "09"))
        return false;
    for (size_t i = 1; i < count; i++) {
        uint32_t next;
        if (!range(&next, p, "09") || !pair(out, p, TACIT__BRANCH_THEN, *out, next))
            return false;
    }
    return true;
}

static bool letters(uint32_t *out, pattern_line *p)
{
    size_t start = p->at, all_d = 0;
    while (tacit__is_letter(peek(p)))
        all_d += p->line.bytes[p->at++] == 'd';
    tacit_strview text = {p->line.bytes + start, p->at - start};
    if (all_d != text.len)
        return word(out, p, text);
    /* A star repeats the last digit only, which is left for an element of its own. */
    if (peek(p) == '*' && text.len > 1) {
        p->at--;
        text.len--;
    }
    return digits(out, p, text.len);
}

static bool quoted(uint32_t *out, pattern_line *p)
{
    size_t start = ++p->at;
    while (p->at < p->line.len && peek(p) != '"')
        p->at++;
    tacit_strview text = {p->line.bytes + start, p->at - start};
    if (p->at == p->line.len)
        return pattern_fail(p, start - 1, "text without an end", text, "close it with a second \"");
    if (text.len == 0)
        return fail_here(p, "nothing between quotes at", "write the text between them");
    p->at++;
    return literals(out, p, text, true);
}

static bool escaped(uint32_t *out, pattern_line *p)
{
    p->at++;
    if (p->at == p->line.len)
        return fail_here(p, "nothing follows the backslash at the end", "write what it stands for");
    char c = p->line.bytes[p->at++];
    return literal(out, p, c, false);
}

static bool named(uint32_t *out, pattern_line *p)
{
    size_t start = p->at++;
    while (tacit__is_letter(peek(p)) || tacit__is_digit(peek(p)))
        p->at++;
    tacit_strview name = {p->line.bytes + start, p->at - start};
    if (pattern_named(out, p->trees, name))
        return true;
    return pattern_fail(p, start, "nothing is called", name,
                        "define it in a line above this one, as in @name = {a, b}, or write "
                        "\\@ for the character");
}

static bool sequence(uint32_t *out, pattern_line *p, const char *ends);

/* The set that a sequence starts with, and what comes after it. */
static bool split(uint32_t *head, uint32_t *rest, const tacit__trees *trees, uint32_t node)
{
    const tacit__template_node *n = &trees->nodes[node];
    if (n->branch != TACIT__BRANCH_THEN || trees->nodes[n->left].branch != TACIT__BRANCH_BYTES)
        return false;
    *head = n->left;
    *rest = n->right;
    return true;
}

static bool same_head(const tacit__trees *trees, uint32_t a, uint32_t b)
{
    uint32_t head_a, head_b, rest;
    return split(&head_a, &rest, trees, a) && split(&head_b, &rest, trees, b) &&
           trees->nodes[head_a].left == trees->nodes[head_b].left;
}

static bool is_branch(const pattern_line *p, uint32_t node, tacit__template_branch branch)
{
    return p->trees->nodes[node].branch == branch;
}

/* Two alternatives. Single bytes become one set, and sequences that start alike share their
 * start, so that of a hundred words only those with the right first letter are followed. */
static bool either(uint32_t *out, pattern_line *p, uint32_t left, uint32_t right)
{
    uint32_t head = 0, rest = 0, other = 0, joined;
    const tacit__template_node a = p->trees->nodes[left], b = p->trees->nodes[right];
    if (a.branch == TACIT__BRANCH_BYTES && b.branch == TACIT__BRANCH_BYTES) {
        tacit__bytes set = p->trees->sets[a.left];
        for (int word = 0; word < 4; word++)
            set.bits[word] |= p->trees->sets[b.left].bits[word];
        return bytes(out, p, &set);
    }
    if (same_head(p->trees, left, right)) {
        split(&head, &other, p->trees, right);
        split(&head, &rest, p->trees, left);
        return either(&joined, p, rest, other) && pair(out, p, TACIT__BRANCH_THEN, head, joined);
    }
    if (a.branch == TACIT__BRANCH_OR && !is_branch(p, right, TACIT__BRANCH_OR)) {
        if (same_head(p->trees, a.right, right))
            return either(&joined, p, a.right, right) &&
                   pair(out, p, TACIT__BRANCH_OR, a.left, joined);
        if (is_branch(p, a.left, TACIT__BRANCH_OR) || same_head(p->trees, a.left, right))
            return either(&joined, p, a.left, right) &&
                   pair(out, p, TACIT__BRANCH_OR, joined, a.right);
    }
    return pair(out, p, TACIT__BRANCH_OR, left, right);
}

/* "{a, b}" and "[a, b]", of which the latter may be left out. */
static bool choice(uint32_t *out, pattern_line *p, const char *ends, bool optional)
{
    size_t start = p->at++;
    if (++p->nesting > NESTING)
        return fail_here(p, "braces are nested too deep at", "give the inner ones a name");
    if (!sequence(out, p, ends))
        return false;
    while (peek(p) == ',') {
        uint32_t next;
        p->at++;
        if (!sequence(&next, p, ends) || !either(out, p, *out, next))
            return false;
    }
    if (peek(p) != ends[1]) {
        tacit_strview rest = {p->line.bytes + start, p->line.len - start};
        return pattern_fail(p, start, "never closed", rest,
                            optional ? "close it with ]" : "close it with }");
    }
    p->at++;
    p->nesting--;
    return !optional || repeat(out, p, *out, 0, 1);
}

static bool span(uint32_t *out, pattern_line *p)
{
    size_t start = p->at++;
    if (p->nesting > 0 || p->spans++ > 0 || !p->may_span)
        return pattern_fail(p, start, "no span can start at",
                            (tacit_strview){p->line.bytes + start, 1},
                            "mark one part of a template with < and >, outside all braces, "
                            "or write \\< for the character");
    p->nesting++;
    if (!sequence(out, p, ">>"))
        return false;
    p->nesting--;
    if (peek(p) != '>')
        return pattern_fail(p, start, "never closed",
                            (tacit_strview){p->line.bytes + start, p->line.len - start},
                            "close it with >");
    if (p->trees->nodes[*out].shortest == 0)
        return fail_here(p, "the span may be empty before", "make a part of it obligatory");
    p->at++;
    return tacit__trees_add(
               out, p->trees,
               (tacit__template_node){
                   .branch = TACIT__BRANCH_SPAN, .left = *out, .least = 1, .most = 1}) ||
           starved(p);
}

static bool class_of(uint32_t *out, pattern_line *p, const char *ranges)
{
    p->at++;
    return range(out, p, ranges);
}

static bool element(uint32_t *out, pattern_line *p)
{
    char c = peek(p);
    switch (c) {
    case ' ':
    case '\t': return blank(out, p);
    case '_': return gap(out, p);
    case '?': return class_of(out, p, "azAZ\x80\xff");
    case '&': return class_of(out, p, "azAZ09");
    case '^': return class_of(out, p, "AZ");
    case '{': return choice(out, p, ",}", false);
    case '[': return choice(out, p, ",]", true);
    case '<': return span(out, p);
    case '@': return named(out, p);
    case '"': return quoted(out, p);
    case '\\': return escaped(out, p);
    case '-': p->at++; return or_beyond(out, p, c, "\xe2\x80", "\x90\x95");
    case '\'': p->at++; return or_beyond(out, p, c, "\xe2\x80", "\x98\x99");
    case '}':
    case ']':
    case '>':
    case '~':
        return fail_here(p, "unexpected", "write a backslash before it if the character is meant");
    default:
        if (tacit__is_letter(c))
            return letters(out, p);
        p->at++;
        return literal(out, p, c, true);
    }
}

static bool count_of(unsigned *out, pattern_line *p)
{
    size_t start = p->at;
    unsigned value = 0;
    while (tacit__is_digit(peek(p)) && value <= REPEAT_MAX)
        value = value * 10 + (unsigned)(p->line.bytes[p->at++] - '0');
    *out = value;
    if (p->at > start && value <= REPEAT_MAX)
        return true;
    return pattern_fail(p, start, "not a number of repetitions",
                        (tacit_strview){p->line.bytes + start, p->at - start},
                        "give one from 0 to 200");
}

/* What a star after an element says: *3, *3-5, *3+, or for a single character any more of it. */
static bool star(uint32_t *out, pattern_line *p, bool single)
{
    unsigned least, most;
    size_t start = p->at++;
    if (!tacit__is_digit(peek(p))) {
        if (single)
            return repeat(out, p, *out, 1, TACIT__UNBOUNDED);
        return pattern_fail(p, start, "no number after", (tacit_strview){p->line.bytes + start, 1},
                            "say how often, as in *2, *2-5 or *2+");
    }
    if (!count_of(&least, p))
        return false;
    most = least;
    if (peek(p) == '+') {
        p->at++;
        most = TACIT__UNBOUNDED;
    } else if (peek(p) == '-' && p->at + 1 < p->line.len &&
               tacit__is_digit(p->line.bytes[p->at + 1])) {
        p->at++;
        if (!count_of(&most, p))
            return false;
    }
    if (most < least || most == 0)
        return pattern_fail(p, start, "an impossible repetition",
                            (tacit_strview){p->line.bytes + start, p->at - start},
                            "the second number is the larger one, and not 0");
    return repeat(out, p, *out, least, most);
}

/* An element with its star; a star by itself is any text without blanks. */
static bool repeated(uint32_t *out, pattern_line *p)
{
    char c = peek(p);
    if (c == '*') {
        p->at++;
        return wild(out, p, true, 1);
    }
    if (!element(out, p))
        return false;
    return peek(p) != '*' || tacit__is_blank(c) || star(out, p, one_of(c, "d?&^"));
}

static bool at_end(const pattern_line *p, const char *ends)
{
    char c = peek(p);
    if (p->at >= p->line.len)
        return true;
    return p->nesting > 0 ? one_of(c, ends) : c == '~' && p->at + 1 == p->line.len;
}

/* Blanks at the ends of an alternative are layout, but before what may be left out. */
static bool sequence(uint32_t *out, pattern_line *p, const char *ends)
{
    if (!one_of(']', ends))
        while (tacit__is_blank(peek(p)))
            p->at++;
    if (at_end(p, ends))
        return fail_here(p, "nothing stands before", "write what is to be matched there");
    if (!repeated(out, p))
        return false;
    while (!at_end(p, ends)) {
        size_t next = p->at;
        while (next < p->line.len && tacit__is_blank(p->line.bytes[next]))
            next++;
        if (next == p->line.len ||
            (next > p->at && p->nesting > 0 && one_of(p->line.bytes[next], ends))) {
            p->at = next;
            break;
        }
        uint32_t more;
        if (!repeated(&more, p) || !pair(out, p, TACIT__BRANCH_THEN, *out, more))
            return false;
    }
    return true;
}

/* Reads from `at` to the end of the line, or to a "~" that ends it. False: see status. */
static bool pattern_read(uint32_t *out, pattern_line *p)
{
    if (!sequence(out, p, ""))
        return false;
    if (p->may_span && p->trees->nodes[*out].shortest == 0)
        return fail_here(p, "the template matches nothing at all", "make a part of it obligatory");
    return true;
}

/* ---- lines ---- */

static void skip_blanks(pattern_line *p)
{
    while (p->at < p->line.len && (p->line.bytes[p->at] == ' ' || p->line.bytes[p->at] == '\t'))
        p->at++;
}

static tacit_strview next_word(pattern_line *p)
{
    skip_blanks(p);
    size_t start = p->at;
    while (p->at < p->line.len && p->line.bytes[p->at] != ' ' && p->line.bytes[p->at] != '\t')
        p->at++;
    return (tacit_strview){p->line.bytes + start, p->at - start};
}

static size_t column_of(const pattern_line *p, tacit_strview word)
{
    return (size_t)(word.bytes - p->line.bytes);
}

static bool good_name(tacit_strview name)
{
    for (size_t i = 1; i < name.len; i++)
        if (name.bytes[i] == '_' || !tacit__word_byte((unsigned char)name.bytes[i]) ||
            (unsigned char)name.bytes[i] >= 0x80)
            return false;
    return name.len > 1 && name.len <= NAME_MAX;
}

static bool define(pattern_line *p)
{
    tacit_strview name = next_word(p);
    if (!good_name(name))
        return pattern_fail(p, column_of(p, name), "not a name", name,
                            "use letters and digits after the @, at most 31");
    tacit_strview sign = next_word(p);
    if (sign.len != 1 || sign.bytes[0] != '=')
        return pattern_fail(p, column_of(p, sign), "no definition follows, but", sign,
                            "write = after the name, with blanks around it");
    struct tacit__template_name entry = {.len = name.len};
    memcpy(entry.bytes, name.bytes, name.len);
    if (!pattern_read(&entry.root, p))
        return false;
    if (!tacit__reserve((void **)&p->trees->names, &p->trees->name_capacity,
                        p->trees->name_count + 1, sizeof entry)) {
        p->status = tacit__nomem(p->err);
        return false;
    }
    p->trees->names[p->trees->name_count++] = entry;
    return true;
}

static bool read_likelihood(int *out, pattern_line *p, tacit_strview word)
{
    int value = 0;
    for (size_t i = 0; i < word.len; i++) {
        if (!tacit__is_digit((unsigned char)word.bytes[i]) || value > 100) {
            value = 101;
            break;
        }
        value = value * 10 + (word.bytes[i] - '0');
    }
    if (word.len == 0 || value > 100)
        return pattern_fail(p, column_of(p, word), "not a likelihood", word,
                            "give a number from 0 to 100 between the kind and the pattern");
    *out = value;
    return true;
}

/* The check, where there is one, and the likelihood. */
static bool read_head(tacit__template *out, pattern_line *p)
{
    tacit_strview kind = next_word(p);
    out->kind = tacit_text_kind_of(kind);
    if (out->kind == TACIT_TEXT_NONE)
        return pattern_fail(p, column_of(p, kind), "no kind is called", kind,
                            "start the line with one such as date, phone, reference or "
                            "measurement, or with # for a comment");
    tacit_strview word = next_word(p);
    if (word.len > 0 && !tacit__is_digit((unsigned char)word.bytes[0])) {
        out->check = tacit__check_of(word);
        if (!out->check)
            return pattern_fail(p, column_of(p, word), "no check is called", word,
                                tacit__check_names);
        word = next_word(p);
    }
    return read_likelihood(&out->likelihood, p, word);
}

static bool skip_tilde(pattern_line *p)
{
    bool is = p->at < p->line.len && p->line.bytes[p->at] == '~';
    p->at += is;
    return is;
}

static bool read_template(pattern_line *p)
{
    tacit__template new = {0};
    if (!read_head(&new, p))
        return false;
    skip_blanks(p);
    tacit_strview text = {p->line.bytes + p->at, p->line.len - p->at};
    new.loose_start = skip_tilde(p);
    p->may_span = true;
    if (!pattern_read(&new.root, p))
        return false;
    new.loose_end = skip_tilde(p);
    new.text = tacit__copy_bytes(text.bytes, text.len);
    if (!new.text || !tacit__reserve((void **)&p->trees->templates, &p->trees->capacity,
                                     p->trees->count + 1, sizeof new)) {
        tacit__free(new.text);
        p->status = tacit__nomem(p->err);
        return false;
    }
    p->trees->templates[p->trees->count++] = new;
    return true;
}

/* Without blanks at the end, but for one that a backslash says is meant. */
static void trim(tacit_strview *line)
{
    while (line->len > 0 && tacit__blank_byte((unsigned char)line->bytes[line->len - 1]) &&
           !(line->len > 1 && line->bytes[line->len - 2] == '\\'))
        line->len--;
}

static bool read_line(pattern_line *p)
{
    trim(&p->line);
    skip_blanks(p);
    if (p->at == p->line.len || p->line.bytes[p->at] == '#')
        return true;
    if (p->line.len > TACIT__TEMPLATE_LINE)
        return pattern_fail(p, TACIT__TEMPLATE_LINE, "the line is too long at",
                            (tacit_strview){p->line.bytes + TACIT__TEMPLATE_LINE, 1},
                            "make it several templates, or give parts of it names");
    return p->line.bytes[p->at] == '@' ? define(p) : read_template(p);
}

tacit_status tacit__trees_read(tacit__trees *trees, tacit_strview source, const char *file,
                               tacit_error *err)
{
    int64_t number = 0;
    for (size_t start = 0; start < source.len;) {
        const char *end = memchr(source.bytes + start, '\n', source.len - start);
        size_t len = end ? (size_t)(end - source.bytes) - start : source.len - start;
        pattern_line pattern = {.trees = trees,
                                .line = {source.bytes + start, len},
                                .number = ++number,
                                .file = file,
                                .err = err};
        if (!read_line(&pattern))
            return pattern.status;
        start += len + 1;
    }
    return TACIT_OK;
}
