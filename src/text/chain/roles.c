/*
 * roles.c - the words, by role. A ledger is made of them once a reader, so that a word costs one
 * hash and one look, however many roles there are: 15 ns, where comparing it with each took 100.
 */
#include "text/chain/roles.h"

#include <string.h>

#include "text/lexicon/recall.h"

enum { LONGEST = 16 };

static const struct {
    tacit__filler role;
    const char *words;
} words_of[] = {
    {TACIT__FILLER_FUNCTION, "of the and in at on for de la le del los las el du des di da van von "
                             "der den und et y"},
    {TACIT__FILLER_COMMON, "north south east west northern southern eastern western n s e w ne nw "
                           "se sw new old upper lower great little st saint san santa mount mt "
                           "lake port fort ft point"},
    {TACIT__FILLER_CITY, "city town village township county borough heights falls springs beach "
                         "island islands park hills valley river bay harbor"},
    {TACIT__FILLER_UNIT, "apt apartment suite ste unit floor fl room rm box po pob p o bldg "
                         "building no number lot rr route rt hwy highway dpo apo fpo psc cmr"},
    {TACIT__FILLER_CARE, "hospital hospitals hosp clinic clinics medical center centre ctr med "
                         "health healthcare system infirmary hospice nursing home facility rehab "
                         "rehabilitation surgery surgical imaging dialysis cancer institute "
                         "heart eye ear burn trauma urgent care emergency community regional "
                         "general memorial childrens children women womens county city state "
                         "university veterans va affairs psychiatric family practice medicine "
                         "pediatrics pediatric associates group school department unit icu holy "
                         "laboratory pharmacy"},
    {TACIT__FILLER_PARTICLE,
     "van von der den de del della di da do dos das du la le el bin ibn ter "
     "ten zu zur y e af av and und et of the"},
    {TACIT__FILLER_CAPITAL,
     "van von der den de del della dos das du la el bin ibn and und et of the"},
    {TACIT__FILLER_TITLE, "mr mrs ms miss mx dr prof rev hon sr jr ii iii iv md phd esq dds dvm "
                          "dmd facs facp"},
    {TACIT__FILLER_ADDRESS, "mr mrs ms miss mx dr doctor prof professor rev reverend sir madam hon "
                            "lord lady sr jr ii iii iv md m d ph phd do rn np pa esq dds dvm dmd "
                            "facs facp mph mba"},
};

/* As a document has it. */
static uint64_t key_of(const char *word, size_t len)
{
    char small[LONGEST];
    for (size_t i = 0; i < len; i++)
        small[i] = (char)(word[i] | 0x20); /* letters only are looked for */
    return tacit__folded_key(small, len);
}

bool tacit__roles_init(tacit__ledger *roles)
{
    for (size_t i = 0; i < sizeof words_of / sizeof words_of[0]; i++)
        for (const char *word = words_of[i].words; *word;) {
            size_t len = strcspn(word, " ");
            if (!tacit__ledger_room(roles, 1))
                return false;
            tacit__ledger_line_of(roles, key_of(word, len))->value |= (uint32_t)words_of[i].role;
            word += len + (word[len] == ' ');
        }
    return true;
}

unsigned tacit__roles_of(const tacit__ledger *roles, const tacit__read_part *word)
{
    uint32_t found = 0;
    if (word->text.len == 0 || word->text.len > LONGEST)
        return 0;
    uint64_t key = word->word ? word->word->key : key_of(word->text.bytes, word->text.len);
    return tacit__ledger_find(&found, roles, key) ? found : 0;
}
