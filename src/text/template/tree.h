/*
 * tree.h - templates as read: trees of characters, sequences, alternatives and
 * bounded repetitions. Subtrees are shared where a name is used several times, and know how
 * long they can become, so that nothing that is too large is ever written out.
 */
#ifndef TACIT_TEXT_TEMPLATE_TREE_H
#define TACIT_TEXT_TEMPLATE_TREE_H

#include <tacit/base.h>

#include "base/ascii.h"
#include "text/template/templates.h"

/* What a form alone does not say: checksums of cards and accounts, days and months in range. A
 * template names its check; what fails it is no match. */
typedef bool (*tacit__check)(tacit_strview span);

/* "luhn" and the others; NULL where there is none of that name. */
tacit__check tacit__check_of(tacit_strview name);

/* All names, for messages: "luhn, mod97, ...". */
extern const char tacit__check_names[];

/* A set of bytes. */
typedef struct tacit__bytes {
    uint64_t bits[4];
} tacit__bytes;

static inline bool tacit__bytes_has(const tacit__bytes *set, unsigned char byte)
{
    return set->bits[byte >> 6] >> (byte & 63) & 1;
}

static inline void tacit__bytes_add(tacit__bytes *set, unsigned char byte)
{
    set->bits[byte >> 6] |= UINT64_C(1) << (byte & 63);
}

/* Letters, digits, the underscore, and what is beyond ASCII: between two of them no word ends. */
static inline bool tacit__word_byte(unsigned char byte)
{
    return byte >= 0x80 || tacit__is_alphanumeric(byte) || byte == '_';
}

static inline bool tacit__blank_byte(unsigned char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* What is in numbers and addresses but in few words: digits, and these within a word. */
static inline bool tacit__sign_byte(unsigned char byte)
{
    return byte == '@' || byte == '.' || byte == ':' || byte == '/' || byte == '#' || byte == '_';
}

/* What a byte is, as bits, for tables that save asking. */
enum {
    TACIT__SORT_WORD = 1,
    TACIT__SORT_LETTER = 2,
    TACIT__SORT_DIGIT = 4,
    TACIT__SORT_SIGN = 8,
    TACIT__SORT_BLANK = 16,
    TACIT__SORT_JOINS = 32, /* numbers */
    TACIT__SORT_STARTS = 64 /* a template; set by machines */
};
uint8_t tacit__sort_of(unsigned char byte);

typedef enum tacit__template_branch {
    TACIT__BRANCH_EMPTY,
    TACIT__BRANCH_BYTES,  /* one byte of a set */
    TACIT__BRANCH_THEN,   /* left, then right */
    TACIT__BRANCH_OR,     /* left or right */
    TACIT__BRANCH_REPEAT, /* left, from least to most times, or TACIT__UNBOUNDED */
    TACIT__BRANCH_SPAN    /* left; what it matches is what is proposed */
} tacit__template_branch;

typedef struct tacit__template_node {
    uint8_t branch; /* tacit__template_branch */
    bool has_span;
    uint16_t depth;
    uint32_t left, right; /* nodes; of BYTES left is the set */
    uint16_t least, most;
    uint32_t shortest; /* bytes it can match */
    uint32_t places;   /* bytes in it when repetitions are written out */
} tacit__template_node;

/* No template is larger. */
enum { TACIT__TEMPLATE_PLACES = 2000, TACIT__TEMPLATE_DEPTH = 1500, TACIT__TEMPLATE_LINE = 4000 };

/* No match is longer, so repetitions need no bound of their own. */
enum { TACIT__MATCH_MAX = 250, TACIT__UNBOUNDED = UINT16_MAX };

typedef struct tacit__template {
    char *text; /* as it stands in the file, terminated */
    tacit_text_kind kind;
    tacit__check check; /* or NULL */
    int likelihood;
    uint32_t root;
    bool loose_start, loose_end; /* a number may go on beyond "-/.:" */
} tacit__template;

enum { TACIT__RECENT_SETS = 256 };

typedef struct tacit__trees {
    tacit__template_node *nodes;
    size_t node_count, node_capacity;
    tacit__bytes *sets;
    size_t set_count, set_capacity;
    uint32_t recent_sets[TACIT__RECENT_SETS]; /* by a hash: numbers of sets, perhaps */
    tacit__template *templates;
    size_t count, capacity;
    struct tacit__template_name *names;
    size_t name_count, name_capacity;
} tacit__trees;

/* Reads a file of templates after what is there already; its names stay known. file is
 * what errors call it. */
tacit_status tacit__trees_read(tacit__trees *trees, tacit_strview source, const char *file,
                               tacit_error *err);
void tacit__trees_clear(tacit__trees *trees);

/* Adding to a tree; false when memory runs out or it becomes too large, see places. */
bool tacit__trees_add(uint32_t *out, tacit__trees *trees, tacit__template_node node);
bool tacit__trees_bytes(uint32_t *out, tacit__trees *trees, const tacit__bytes *set);
bool tacit__trees_pair(uint32_t *out, tacit__trees *trees, tacit__template_branch branch,
                       uint32_t left, uint32_t right);
bool tacit__trees_repeat(uint32_t *out, tacit__trees *trees, uint32_t node, uint16_t least,
                         uint16_t most);
/* Whether the node is small enough to be used. */
bool tacit__trees_fits(const tacit__trees *trees, uint32_t node);

#endif
