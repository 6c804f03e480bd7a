/*
 * tree.c - the nodes of templates. Each addition computes, from its children, how
 * many bytes a node matches and how many places it has once repetitions are written out;
 * both stop at a limit, so that names within names cannot overflow them.
 */
#include "text/template/tree.h"

#include "base/alloc.h"
#include "base/vector.h"

enum { CAP = 1 << 20 };

uint8_t tacit__sort_of(unsigned char byte)
{
    bool joins = byte == '-' || byte == '/' || byte == '.' || byte == ':';
    return (uint8_t)((tacit__word_byte(byte) ? TACIT__SORT_WORD : 0) |
                     (tacit__is_letter(byte) ? TACIT__SORT_LETTER : 0) |
                     (tacit__is_digit(byte) ? TACIT__SORT_DIGIT : 0) |
                     (tacit__sign_byte(byte) ? TACIT__SORT_SIGN : 0) |
                     (tacit__blank_byte(byte) ? TACIT__SORT_BLANK : 0) |
                     (joins ? TACIT__SORT_JOINS : 0));
}

static uint32_t capped(uint64_t value)
{
    return value < CAP ? (uint32_t)value : CAP;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void measure_pair(tacit__template_node *node, const tacit__template_node *left,
                         const tacit__template_node *right)
{
    bool then = node->branch == TACIT__BRANCH_THEN;
    node->places = capped((uint64_t)left->places + right->places);
    node->shortest = then ? capped((uint64_t)left->shortest + right->shortest)
                     : left->shortest < right->shortest ? left->shortest
                                                        : right->shortest;
    node->has_span = left->has_span || right->has_span;
    node->depth = (uint16_t)(1 + larger(left->depth, right->depth));
}

/* How many copies of what it repeats a repetition needs; one without an end goes back to the
 * start of its last. */
static unsigned written_out(const tacit__template_node *node)
{
    return node->most != TACIT__UNBOUNDED ? node->most : node->least > 0 ? node->least : 1;
}

static void measure(const tacit__trees *trees, tacit__template_node *node)
{
    const tacit__template_node *left = &trees->nodes[node->left];
    switch ((tacit__template_branch)node->branch) {
    case TACIT__BRANCH_EMPTY: break;
    case TACIT__BRANCH_BYTES: node->places = node->shortest = 1; break;
    case TACIT__BRANCH_THEN:
    case TACIT__BRANCH_OR: measure_pair(node, left, &trees->nodes[node->right]); break;
    case TACIT__BRANCH_REPEAT:
    case TACIT__BRANCH_SPAN:
        node->places = capped((uint64_t)left->places * written_out(node));
        node->shortest = capped((uint64_t)left->shortest * node->least);
        node->has_span = left->has_span || node->branch == TACIT__BRANCH_SPAN;
        node->depth = (uint16_t)(1 + left->depth);
        break;
    }
}

bool tacit__trees_add(uint32_t *out, tacit__trees *trees, tacit__template_node node)
{
    if (!TACIT__RESERVE_ONE(trees->nodes, trees->node_capacity, trees->node_count))
        return false;
    measure(trees, &node);
    trees->nodes[trees->node_count] = node;
    *out = (uint32_t)trees->node_count++;
    return true;
}

static bool same_set(const tacit__bytes *a, const tacit__bytes *b)
{
    return a->bits[0] == b->bits[0] && a->bits[1] == b->bits[1] && a->bits[2] == b->bits[2] &&
           a->bits[3] == b->bits[3];
}

static uint32_t *recent_set(tacit__trees *trees, const tacit__bytes *set)
{
    uint64_t mixed = set->bits[0] ^ set->bits[1] ^ set->bits[2] ^ set->bits[3];
    return &trees->recent_sets[mixed * UINT64_C(0x9E3779B97F4A7C15) >> 56];
}

/* The number of the set, or of the next where it is new. There are a few hundred in all, and mostly
 * it is one that was there a moment ago. */
static size_t find_set(tacit__trees *trees, const tacit__bytes *set)
{
    uint32_t *recent = recent_set(trees, set);
    size_t i = *recent;
    if (i < trees->set_count && same_set(&trees->sets[i], set))
        return i;
    for (i = 0; i < trees->set_count && !same_set(&trees->sets[i], set);)
        i++;
    *recent = (uint32_t)i;
    return i;
}

bool tacit__trees_bytes(uint32_t *out, tacit__trees *trees, const tacit__bytes *set)
{
    size_t i = find_set(trees, set);
    if (i == trees->set_count) {
        if (!TACIT__RESERVE_ONE(trees->sets, trees->set_capacity, i))
            return false;
        trees->sets[trees->set_count++] = *set;
    }
    return tacit__trees_add(
        out, trees, (tacit__template_node){.branch = TACIT__BRANCH_BYTES, .left = (uint32_t)i});
}

bool tacit__trees_pair(uint32_t *out, tacit__trees *trees, tacit__template_branch branch,
                       uint32_t left, uint32_t right)
{
    return tacit__trees_add(
        out, trees,
        (tacit__template_node){.branch = (uint8_t)branch, .left = left, .right = right});
}

bool tacit__trees_repeat(uint32_t *out, tacit__trees *trees, uint32_t node, uint16_t least,
                         uint16_t most)
{
    return tacit__trees_add(
        out, trees,
        (tacit__template_node){
            .branch = TACIT__BRANCH_REPEAT, .left = node, .least = least, .most = most});
}

bool tacit__trees_fits(const tacit__trees *trees, uint32_t node)
{
    return trees->nodes[node].places <= TACIT__TEMPLATE_PLACES &&
           trees->nodes[node].depth <= TACIT__TEMPLATE_DEPTH;
}

void tacit__trees_clear(tacit__trees *trees)
{
    for (size_t i = 0; i < trees->count; i++)
        tacit__free(trees->templates[i].text);
    tacit__free(trees->nodes);
    tacit__free(trees->sets);
    tacit__free(trees->templates);
    tacit__free(trees->names);
    *trees = (tacit__trees){0};
}
