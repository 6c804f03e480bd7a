/*
 * test_text_families.c - what runs of words become: names, places, streets, organizations; what
 * special detectors say against; which lines make blocks. The chain's opinions are given by
 * hand: P, L, S, O for the words that it is sure of, p, l, s, o where it doubts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "text/detect/detect.h"

enum { MAX = 64, SURE = 90, DOUBT = 30 };

typedef struct evidence {
    tacit__document document;
    tacit__opinion opinions[MAX];
    tacit__proposals proposals;
} evidence;

static tacit__opinion opinion_of(char letter)
{
    static const char letters[] = ".PLSO";
    tacit__opinion opinion = {.of = {100}};
    char capital = letter & ~0x20;
    const char *found = letter == '.' ? NULL : strchr(letters, capital);
    if (found) {
        int likely = letter == capital ? SURE : DOUBT;
        opinion.of[TACIT__LABEL_OTHER] = 100 - likely;
        opinion.of[found - letters] = likely;
    }
    return opinion;
}

static void set(evidence *desk, const char *text, const char *labels)
{
    memset(desk, 0, sizeof *desk);
    assert_int_equal(tacit__document_read(&desk->document, tacit_strview_of(text), NULL), TACIT_OK);
    assert_int_equal(desk->document.count, strlen(labels));
    for (size_t i = 0; i < desk->document.count; i++)
        desk->opinions[i] = opinion_of(labels[i]);
}

/* "kind/within:words" for each proposal, parted by bars. */
static void check(evidence *desk, const char *expected)
{
    char got[2048] = "";
    for (size_t i = 0; i < desk->proposals.count; i++) {
        const tacit__proposal *one = &desk->proposals.items[i];
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s%s%s:%.*s", i > 0 ? "|" : "",
                 tacit_text_kind_name(one->kind), one->within != one->kind ? "/" : "",
                 one->within != one->kind ? tacit_text_kind_name(one->within) : "",
                 (int)(one->end - one->start), desk->document.text.bytes + one->start);
    }
    assert_string_equal(got, expected);
    tacit__document_clear(&desk->document);
    tacit__proposals_clear(&desk->proposals);
}

/* Words, what the chain says of them, and what is proposed. */
typedef struct family_case {
    const char *text, *labels, *expected;
} family_case;

typedef tacit_status propose_fn(tacit__proposals *proposals, const tacit__document *document,
                                const tacit__opinion *opinions, tacit_error *err);

static void check_all(const family_case *cases, size_t count, propose_fn *propose, bool asked)
{
    for (size_t i = 0; i < count; i++) {
        evidence desk;
        set(&desk, cases[i].text, cases[i].labels);
        desk.proposals.titles = asked;
        assert_int_equal(propose(&desk.proposals, &desk.document, desk.opinions, NULL), TACIT_OK);
        check(&desk, cases[i].expected);
    }
}

static void families(void **state)
{
    (void)state;
    static const family_case cases[] = {
        {"saw Dr. Long today", "..P.", "last_name:Long"},
        {"saw Dorothy today", ".P.", "first_name:Dorothy"},
        {"as \"Ginny\" today", ".P.", "nickname:Ginny"},
        {"Ann B. Long came", "PPP.",
         "name:Ann B. Long|first_name:Ann|middle_name:B|last_name:Long"},
        {"LONG, ANN B", "PPP", "name:LONG, ANN B|last_name:LONG|first_name:ANN|middle_name:B"},
        {"Long. Ann came", "PP.", "last_name:Long|first_name:Ann"},
        {"Ann\nLong", "PP", "first_name:Ann|last_name:Long"},
        {"by Dr. Hanneke de Wit. Recovery", "..PP..",
         "name:Hanneke de Wit|first_name:Hanneke|last_name:de"},
        {"Hanneke de wit", "PP.", "name:Hanneke de|first_name:Hanneke|last_name:de"},
        {"Mr Bevan (81) is fit", ".P...", "last_name:Bevan|age:81"},
        {"Mr Bevan, 81, was", ".P..", "last_name:Bevan|age:81"},
        {"Mr Bevan, 81 mg", ".P..", "last_name:Bevan"},
        {"Mr Bevan (81, a widower)", ".P...", "last_name:Bevan|age:81"},
        {"Ann, 38 - a cardiologist", "P...", "first_name:Ann|age:38"},
        {"Mr Bevan (81.5)", ".P..", "last_name:Bevan"},
        {"Ann, forty-six, came", "P...", "first_name:Ann|age:forty-six"},
        {"Ann, six, and Bo", "P..P", "first_name:Ann|age:six|first_name:Bo"},
        {"Ann is thirteen.", "P..", "first_name:Ann|age:thirteen"},
        {"Ann, forty winks, slept", "P...", "first_name:Ann"},
        {"Ann Bevan (AB) said", "PP..",
         "name:Ann Bevan|first_name:Ann|last_name:Bevan|initials:AB"},
        {"Ann Bevan (AC) said", "PP..", "name:Ann Bevan|first_name:Ann|last_name:Bevan"},
        {"Mr Bevan (1981)", ".P.", "last_name:Bevan"},
        {"Mr Bevan (121)", ".P.", "last_name:Bevan"},
        {"Mr Bevan (81 kg)", ".P..", "last_name:Bevan"},
        {"Mr Bevan 81)", ".P.", "last_name:Bevan"},
        {"Mr Bevan (81", ".P.", "last_name:Bevan"},
        {"(Ann Bevan, 81)", "PP.", "name:Ann Bevan|first_name:Ann|last_name:Bevan|age:81"},
        {"Ann (7 months), Bo", "P...", "first_name:Ann|age:7"},
        {"Ann, 34 m, walked in", "P....", "first_name:Ann|age:34"},
        {"Ann, 34 mg, walked in", "P....", "first_name:Ann"},
        {"Ann (7 pounds), Bo", "P...", "first_name:Ann"},
        {"Ann, 81; Bo", "P..", "first_name:Ann|age:81"},
        {"Ann Bevan 81 - chest pain", "PP...",
         "name:Ann Bevan|first_name:Ann|last_name:Bevan|age:81"},
        {"Ann 81 \xE2\x80\x93 pain", "P..", "first_name:Ann|age:81"},
        {"Ann // 81 // pain", "P..", "first_name:Ann|age:81"},
        {"Ann 81, home", "P..", "first_name:Ann|age:81"},
        {"Ann 8, home", "P..", "first_name:Ann"},
        {"Ann 81 pain", "P..", "first_name:Ann"},
        {"Ann     81     pain", "P..", "first_name:Ann|age:81"},
        {"| Ann | 81 | pain", "P..", "first_name:Ann|age:81"},
        {"| Ann | 81 pain", "P..", "first_name:Ann"},
        {"Ann, 81.", "P.", "first_name:Ann|age:81"},
        {"Ann, 3.5 as", "P...", "first_name:Ann"},
        {"Ann, 14 months, came", "P...", "first_name:Ann|age:14"},
        {"Ann is 12.", "P..", "first_name:Ann|age:12"},
        {"Ann was 12 and shy", "P....", "first_name:Ann|age:12"},
        {"Ann is 12 pounds", "P...", "first_name:Ann"},
        {"Ann took 12.", "P..", "first_name:Ann"},
        {"Iris and June need", "P...", "first_name:Iris|first_name:June"},
        {"June or Iris can", "..P.", "first_name:Iris|first_name:June"},
        {"Rose and Drew Bevan", "..PP",
         "name:Drew Bevan|first_name:Drew|last_name:Bevan|first_name:Rose"},
        {"Iris and June 5", "P...", "first_name:Iris"}, /* the month */
        {"Iris and june", "P..", "first_name:Iris"},
        {"Iris, and June", "P..", "first_name:Iris"},
        {"Iris and Kerberos", "P..", "first_name:Iris"},
        {"Iris and June need", "p...", "first_name:Iris"}, /* not sure herself */
        {"Mr Bevan (\"Spud\") came", ".P..", "last_name:Bevan|nickname:Spud"},
        {"Mr Bevan (\"spud\") came", ".P..", "last_name:Bevan"},
        {"Mr Bevan (\"Spud the man\")", ".P...", "last_name:Bevan"},
        {"PH/jk", "P.", "initials:PH"},
        {"Long\nABC:de", "PP.", "last_name:Long|initials:ABC"},
        {"PH / jk", "P.", "last_name:PH"},
        {"PH/JK", "P.", "last_name:PH"},
        {"WEST/jk", "P.", "last_name:WEST"},
        {"PH/clinic", "P.", "last_name:PH"},
        {"PH", "P", "last_name:PH"},
        {"in Lake Angela New Jersey 02139", ".LLLLL",
         "city/location:Lake Angela|state/location:New Jersey|zip:02139"},
        {"from Boston, MA", ".LL", "city/location:Boston|state/location:MA"},
        {"from Boston, MA, Bolivia", ".LLL",
         "city/location:Boston|state/location:MA|country/location:Bolivia"},
        {"from Boston; MA", ".LL", "city:Boston|state:MA"},
        {"from Boston\nMA", ".LL", "city:Boston|state:MA"},
        {"from Boston, MA", ".L.", "city:Boston"},
        {"from Boston, MA", ".LP", "city:Boston|last_name:MA"},
        {"from Boston, Salem", ".LL", "city:Boston|city:Salem"},
        {"from MA 02139", ".LL", "state:MA|zip:02139"},
        {"born in Bolivia", "..L", "country:Bolivia"},
        {"at 12 Oak St. Apt. 3 now", ".SSSSS.", "street:12 Oak St. Apt. 3"},
        {"at Mount Hope Clinic", ".OOO", "hospital:Mount Hope Clinic"},
        {"for Beck-Brown now", ".OO.", "organization:Beck-Brown"},
        {"at St. Luke's today", ".OO.", "organization:St. Luke's"},
        {"to Hay-on-Wye today", ".L.L.", "city:Hay-on-Wye"},
        {"to Hay-on Wye today", ".L.L.", "city:Hay|city:Wye"},
        {"at Orbit Co-op today", ".OO..", "organization:Orbit Co-op"},
        {"an Orbit-based firm", ".O..", "organization:Orbit"},
        {"by Hyun-woo today", ".P..", "first_name:Hyun-woo"},
        {"at St. Luke\xE2\x80\x99s today", ".OO.", "organization:St. Luke\xE2\x80\x99s"},
        {"Mount Hope Clinic's rooms", "OOO.", "hospital:Mount Hope Clinic"},
        {"Acme|Globex now", "OO.", "organization:Acme|Globex"},
        {"1|Acme|Globex\n2|Beck|Brown\n3|Hall|Moss", ".OO.OO.OO",
         "organization:Acme|organization:Globex|organization:Beck|organization:Brown|"
         "organization:Hall|organization:Moss"},
        {"nothing at all", "...", ""},
    };
    check_all(cases, sizeof cases / sizeof cases[0], tacit__runs_propose, false);
}

/* Names that end with what they name, where the chain doubts. */
static void called(void **state)
{
    (void)state;
    static const family_case cases[] = {
        {"TO: Bluebonnet Endocrine Clinic, now", ".....", "hospital:Bluebonnet Endocrine Clinic"},
        {"at Scartho Lane Surgery to weigh", "......", "hospital:Scartho Lane Surgery"},
        {"by Zorblat & Quimby Ltd for", ".....", "organization:Zorblat & Quimby Ltd"},
        {"Dr. Reyes of Zorblat Clinic", ".....", "hospital:Zorblat Clinic"},
        {"Dr. Reyes of Zorblat Clinic", "...OO", ""}, /* which the chain has */
        {"the Breast Clinic", "...", ""},             /* called nothing */
        {"the zorblat Clinic", "...", ""},
        {"Zorblat. Clinic today", "...", ""},
        {"Zorblat     Clinic", "..", ""},
        {"General Surgery", "..", ""},
        {"Zorblat clinic", "..", ""},
        {"ZORBLAT CLINIC", "..", ""},
        {"Clinic", ".", ""},
    };
    check_all(cases, sizeof cases / sizeof cases[0], tacit__called_propose, false);
}

/* Titles beside names, where they are asked for. */
static void titles(void **state)
{
    (void)state;
    static const family_case cases[] = {
        {"saw Dr. Long today", "..P.", "last_name:Long|title:Dr"},
        {"Prof. Dr. Ann Long", "..PP",
         "name:Ann Long|first_name:Ann|last_name:Long|title:Dr|title:Prof"},
        {"Long, M.D., Ph.D., came", "P.....", "last_name:Long|title:M.D|title:Ph.D"},
        {"Long, MD, RN", "P..", "last_name:Long|title:MD|title:RN"},
        {"Long MD", "P.", "last_name:Long|title:MD"},
        {"saw doctor Long", "..P", "last_name:Long|title:doctor"},
        {"saw general Long", "..P", "last_name:Long"}, /* an adjective, perhaps */
        {"Long, General", "P.", "last_name:Long|title:General"},
        {"Long General", "P.", "last_name:Long"},      /* Hospital */
        {"Long, PA", "PL", "last_name:Long|state:PA"}, /* where the chain sees a place */
        {"saw Dr. Long today", ".PP.", "name:Dr. Long|first_name:Dr|last_name:Long"},
        {"MD\nLong", ".P", "last_name:Long"},
        {"Long\nMD", "P.", "last_name:Long"},
        {"Long. MD", "P.", "last_name:Long"},
        {"Dr. Dr. Dr. Dr. Dr. Long", ".....P",
         "last_name:Long|title:Dr|title:Dr|title:Dr|title:Dr"},
        {"MD", ".", ""},
    };
    check_all(cases, sizeof cases / sizeof cases[0], tacit__runs_propose, true);
}

static void special(void **state)
{
    (void)state;
    static const family_case cases[] = {
        {"Parkinson's disease", "P.", "eponym:Parkinson"},
        {"Dr. Parkinson came", ".P.", ""},
        {"the Foley catheter", ".p.", "eponym:Foley"},
        {"on Tylenol", ".p", "medical:Tylenol"},
        {"on Tylenol", "..", ""},
        {"Denies fever", "p.", "verb:Denies"},
        {"Rose came", "P.", ""},
    };
    check_all(cases, sizeof cases / sizeof cases[0], tacit__special_propose, false);
}

static void blocks(void **state)
{
    (void)state;
    static const family_case cases[] = {
        {"St. John's Hospital\nHuntington 18\nBoston, MA 02151", "OOOs.LLl",
         "zip/address_block:02151|state/address_block:MA|city/address_block:Boston|"
         "street/mailing_label:Huntington 18"},
        {"St. John's Hospital    CH#32-841-09787\nHuntington 18     DOB 05/26/86\n"
         "Boston, MA 02151-1234",
         "OOO....s.....LLl.",
         "zip/address_block:02151-1234|state/address_block:MA|city/address_block:Boston|"
         "street/mailing_label:Huntington 18"},
        {"Seen on 3 May.\n\nBoston, MA 02151", "....LLl",
         "zip/address_block:02151|state/address_block:MA|city/address_block:Boston"},
        {"weight 02151", "..", ""},
        {"RE: Virginia Townsend  DOB 05/26/86",
         "...."
         "...",
         "name/identification_block:Virginia Townsend"},
        {"Patient Name: LONG, ANN", "....", "name/identification_block:LONG, ANN"},
        {"Re: The medical records", "....", ""},
    };
    check_all(cases, sizeof cases / sizeof cases[0], tacit__blocks_propose, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families), cmocka_unit_test(titles), cmocka_unit_test(called),
        cmocka_unit_test(special),  cmocka_unit_test(blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
