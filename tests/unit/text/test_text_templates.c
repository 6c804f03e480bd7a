/*
 * test_text_templates.c - the shipped templates on written forms of every family: what must
 * be found, as what, and what looks like it and must not be. Figures 110 and 113 with
 * their likelihoods.
 */
#include "template_marks.h"

static marks shipped;

static int open_shipped(void **state)
{
    (void)state;
    marks_open(&shipped, "");
    return 0;
}

static int close_shipped(void **state)
{
    (void)state;
    marks_close(&shipped);
    return 0;
}

static void hold_all(const char *const *cases)
{
    size_t wrong = 0;
    for (; *cases; cases++)
        wrong += !marks_hold(&shipped, *cases);
    assert_int_equal(wrong, 0);
}

/* The likelihood of the likeliest proposal of a kind that covers the text from end to end. */
static int likelihood(const char *text, tacit_text_kind kind, const char *rule)
{
    int best = -1;
    marks_propose(&shipped, text);
    for (size_t i = 0; i < shipped.proposals.count; i++) {
        const tacit__proposal *p = &shipped.proposals.items[i];
        if (p->kind == kind && p->end == strlen(text) && strcmp(p->rule, rule) == 0)
            best = p->likelihood;
    }
    return best;
}

/* Figure 113, as printed. */
static void figure_113(void **state)
{
    (void)state;
    static const struct {
        const char *text, *rule;
        int likelihood;
    } rows[] = {
        {"255-1423", "ddd - dddd", 40},
        {"(304) 255-1423", "(ddd) ddd - dddd", 85},
        {"304/ 255-1423", "ddd / ddd - dddd", 50},
        {"255-1000 ext 1423", "ddd - dddd ext* d*", 70},
        {"extension 1423", "ext* d*", 40},
        {"phone: 255-1423", "{ tel*, ph* } <ddd - dddd>", 90},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(likelihood(rows[i].text, TACIT_TEXT_PHONE, rows[i].rule),
                         rows[i].likelihood);
}

static void dates(void **state)
{
    (void)state;
    hold_all((const char *const[]){
        /* Figure 110 */
        "<March 1, 1991|date>", "<3/1/91|date>", "<first of March|date>", "<1-MAR-91|date>",
        "<03-01-91|date>", "<March 1st|date>",
        /* in words */
        "<Wednesday, February 2, 1994|date>", "diagnosed in <June of 1993|date>",
        "on <21 April 1992|date>", "the <21st of April, 1992|date>", "<Sept. 3, 2004|date>",
        "<Mar 3 '94|date>", "<27-Oct-1991|date>", "<27.Oct.1991|date>", "<March 1994|date>",
        "<May 16|date>", "seen <Aug 13, 2016|date>.", "<06 January|date> she came",
        "<March the 3rd|date>", "<December twenty-first|date>", "<Monday the 3rd|date>",
        "<Thurs. Oct 5|date>", "on\n<May 5,\n1999|date>", "<MAY 2011|date>", "<may 5, 2011|date>",
        /* in digits */
        "<10/26/1994|date>", "<1990-06-16|date>", "<04.01.2019|date>", "<4. 1. 2019|date>",
        "<2011/3/4|date>", "<1984-06-15 09:13:24|date>", "<1984-06-15T09:13:24Z|date>",
        "admitted <3/4|date> and discharged <3/10|date>", "nsg note <04/23|date>",
        "on <10/26|date>", "T98.6 HR88", "DOB <05/26/86|date>", "DOB: <19860526|date>",
        "<10/1994|date>", "<3/1/91|date>-<3/5/91|date>",
        /* years and more */
        "in <2015|date>", "since <1998|date>", "(<1921|date>)", "in <'94|date>",
        "the <summer of 1988|date>", "<spring 1994|date>", "in the <1990s|date>",
        "before <Easter|date>", "<Christmas Eve|date>", "<Easter 1993|date>",
        /* not number V */
        "admitted <1 Nov|date>", "<24-Nov-2002|date>", "dob <2.3.88|date> thx", "born <2.3|date>.",
        "LMP <2/6|date>", "this <22nd day of May, 2007|date>",
        "from <1st|date> to <15th September|date>", "absent <18|date> and <25 November|date>",
        "again on the <29th|date> at 4 pm", "notified <12/8|date> at 4:10", "(<2015|date>, cough)",
        "had an ablation <2011|date>",
        /* from a day to another, and several */
        "away <March 6|date>-<10|date>", "<8|date>–<12 October 2017|date>",
        "absent on <2, 3 and 4 May|date>", "on <June 2, 3 and 5|date> he",
        /* of other languages, and as clerks write them */
        "le <17 janvier 2023|date>", "am <3. Oktober|date>", "<12 de mayo de 1998|date>",
        "this <nineteenth day of January, 1931|date>", "<Dec. 2d, 1763|date>",
        "[<21/Feb/2019|date>:08:01:44", "born <8 / 8 / 92|date>", NULL});
}

/* As notes, old letters and people in haste write them. */
static void short_dates(void **state)
{
    (void)state;
    hold_all((const char *const[]){"worse <last April|date>",
                                   "not seen since <Nov|date>",
                                   "review <November|date>",
                                   "in <December|date>, to",
                                   "in <May|date> he",
                                   "away from <6th|date> on",
                                   "the <25th|date> and the <26th|date>",
                                   "moved to the <27th|date>",
                                   "bond of <1816|date>",
                                   "hip replaced, <2016|date>; well",
                                   "wrote <4.x.17|date>",
                                   "<19/III/2019|date>",
                                   "your favour of the <4th instant|date>",
                                   "<Feby. 3rd, 1931|date>",
                                   "<Dec 9/2016|date> at",
                                   "<22/7|date> at home",
                                   "<24/8|date> at home",
                                   "<6/09|date>   Feed store",
                                   "That was <1948|date> to <1951|date>",
                                   "(<1815-1890|date>)",
                                   "d. <1979|date>",
                                   "your <2015|date> return",
                                   "<17 OCT 79|date>",
                                   "filled <6/1|date>",
                                   "the year was <1958|date>",
                                   "<last summer|date>",
                                   "<10/67|date> to <10/68|date>",
                                   "assessment <2016|date>",

                                   "<Nov|date>: as before",
                                   "<12.VII|date>. Rain",
                                   "stent <'19|date>",
                                   "marked <1989|date> by",
                                   "b. abt. <1771|date>",
                                   "reminder sent <6/1|date>",
                                   "w/c <10.2|date>",
                                   "can't do the <second week of September|date>",
                                   "since <late May|date>",
                                   "on or about the <21st|date>",
                                   NULL});
    hold_all((const char *const[]){"on the 5th floor", "the 4th and last", "the 26th anniversary",
                                   "24/7 care", "next fall he", "report of 12", NULL});
}

static void no_dates(void **state)
{
    (void)state;
    hold_all((const char *const[]){"strength 5/5 throughout",
                                   "motor was 5/5",
                                   "a II/VI systolic murmur",
                                   "a 2/6 murmur",
                                   "3/4 of them",
                                   "half (1/2)",
                                   "vision 20/40",
                                   "24/7",
                                   "blood pressure 132/78, pulse 88",
                                   "BP 120/80",
                                   "13/45/99",
                                   "32/13/1994",
                                   "the number 1994 alone",
                                   "at 1930",
                                   "may be 3",
                                   "the other 5 may go",
                                   "he may",
                                   "march on",
                                   "version 2.10",
                                   "ratio 3:1",
                                   "in the spring be rechecked in 3 months",
                                   "page 10 of 12",
                                   "1.5/3",
                                   "200/1/94",
                                   "99-99-99",
                                   "she fell",
                                   "in two weeks",
                                   "open Monday to Friday",
                                   "Mon-Fri",
                                   "second opinion",
                                   "seen on Wednesday",
                                   "on the 4th toe",
                                   "after the 2nd dose",
                                   "from 3/5 to 4/5",
                                   NULL});
}

static void phones(void **state)
{
    (void)state;
    hold_all((const char *const[]){
        "<(304) 255-1423|phone>",
        "<304/ 255-1423|phone>",
        "<255-1000 ext 1423|phone>",
        "phone: <255-1423|phone>",
        "Tel: <844 917 1603|phone>",
        "<833.719.3994x1887|phone>",
        "at <1-591-718-4619|phone>",
        "<+1 588 922 7484|phone>",
        "<+49 89 1234567|phone>",
        "<+44 20 7946 0958|phone>",
        "<+31-6-12345678|phone>",
        "call <(88) 684-334|phone>",
        "You can call <9320 7126|phone>",
        "not answering at <781 5991|phone>",
        "<089 72 63 41|phone> office",
        "<(790)091-7442|fax>-Fax",
        "<21 232 945 1338|phone> office",
        "Phone: <02.27.96.63.08|phone>",
        "<(505)498-8487x6837|phone>",
        "<001-490-155-3846|phone>",
        "pager <3456|phone>",
        "beeper #<12345|phone>",
        "cell: <617-555-0123|phone>",
        "ext. <3345|phone>",
        "Fax: <891-316-5547|fax>",
        "fax no. <255-1424|fax>",
        "call me on <0348 2102744|phone>",
        "We will contact Mrs. Hodgkins in a week at Marina Corp <473-1214|phone> to schedule",
        "mobile <07911 123456|phone>",
        "<1-800-FLOWERS|phone>",
        NULL});
}

static void no_phones(void **state)
{
    (void)state;
    hold_all((const char *const[]){"000-0000", "pages 100-1200", "1-2-3", "glucose 142",
                                   "call in 2 weeks", "call back at 10:15", "x3", "extended 3 cm",
                                   "phase 2", NULL});
}

static void ages(void **state)
{
    (void)state;
    hold_all((const char *const[]){"a <94|age>-year-old man",
                                   "a <93|age> year old white woman",
                                   "<33|age>yo right-handed",
                                   "DOB (<33|age> yrs), F/<66|age>, (<64|age> M)",
                                   "<79|age>/Indian/F",
                                   "Castleisland. <71|age> yrs.",
                                   "Age when seen: <3 years 4 months|age>",
                                   "Male, <42|age>",
                                   "<66|age> y/o male",
                                   "aged <45|age>",
                                   "Age: <45|age>",
                                   "age <7|age>",
                                   "<7 and 6/12|age> year old female",
                                   "<45|age> years of age",
                                   "a <6|age>-month-old",
                                   "a <forty-five|age>-year-old",
                                   "<ten|age> years old",
                                   "is a <45|age> woman",
                                   "<63|age>/F",
                                   "in his <60s|age>",
                                   "a <3|age>-week-old boy",
                                   "<45|age> yr old",
                                   "died at <52|age> of a stroke",
                                   "breast cancer at <38|age>.",
                                   "Zainab, <29|age>y, G2P1",
                                   "who is <52|age> and a half, still",
                                   "she is <96|age> and sharper",
                                   "You are <36|age> and healthy",
                                   "She's <eighty-one|age>, ask her",
                                   "the lodger, <44|age>, collier",
                                   "she being <sixty|age> and ill",
                                   "kept <forty-six|age> by",
                                   "ages <16|age>, <12|age> and <10|age>",
                                   "three kids (<1|age>, <4|age>, <11|age>)",
                                   "a pupil of <six|age>",
                                   "At <eighteen|age> she took",
                                   "in her <thirty-fourth|age> year",
                                   "who is <six|age> now",
                                   "aet. <29|age>",
                                   "M   <58|age>y   DOB",
                                   "she was <103|age> and had",
                                   "of <eleven|age> years, son",
                                   "Rose is only <2|age> and has a cough",
                                   "<57|age> Yrs / F",
                                   "W/M, <26|age>, tall",
                                   "again at <58|age> and",
                                   "since age <fourteen|age>",
                                   "who was <34|age> at the time",
                                   "She will be <50|age> next month",
                                   "his brother (<52|age>) had",
                                   "the boy, <9|age>, was",
                                   "two sons, <4|age> and <7|age>.",
                                   "a woman of <83|age> with",
                                   "At <44|age> she had a stroke",
                                   "Age at diagnosis: <39|age>",
                                   "She was only <seventeen|age> when",
                                   "he is <sixty-two|age> and",
                                   "their son, aged <three|age>, slept",
                                   "and I am <29|age>, I live",
                                   "she's <13|age> now",
                                   "hes <4|age>, shy",
                                   "my nan, <88|age>, waited",
                                   "her mother-in-law (<71|age>) came",
                                   "At <35|age> she has had",
                                   "in <1957|date> (<66|age>)",
                                   "Mike will be <80|age> on Sunday",
                                   "He is <81|age> now and",
                                   "the bride, <34|age>, is a",
                                   "Sex/Age: F / <58|age>",
                                   "aged about <22|age>.",
                                   "aged <forty-four|age>",
                                   "she turned <eight|age> that week",
                                   "who is <seven|age> and",
                                   NULL});
}

static void no_ages(void **state)
{
    (void)state;
    hold_all((const char *const[]){"200-year-old house",
                                   "for 10 years",
                                   "a 2 year history",
                                   "3 months",
                                   "two weeks",
                                   "At the age of two she was",
                                   "every 6 weeks",
                                   "stage 2",
                                   "old 45",
                                   "died at 10:15",
                                   "was well at 7 pm",
                                   "for 20y",
                                   "at forty miles an hour",
                                   "in her second year",
                                   "a man of means",
                                   "it was 52 and a half",
                                   "the temp is 38 and rising",
                                   "BP was 90 and",
                                   "male (12), female (15)",
                                   "he was one of",
                                   "sizes 10 m, 20 m, 30 m.",
                                   "walked 50 m, rested",
                                   "at 10 she slept",
                                   "sons and daughters of 1776",
                                   "rooms 12, 34, and 56",
                                   "who is one of",
                                   NULL});
}

static void numbers(void **state)
{
    (void)state;
    hold_all((const char *const[]){
        "MRN <1234567|reference>", "MRN: <H018629|reference>",
        "Medical record number <8964455|reference>", "Unit #: <360-62-97|reference>",
        "Hospital No. <851-47-93|reference>", "CH#<32-841-09787|reference>",
        "Chart number: <A-1234|reference>", "Case #<91-2234|reference>",
        "Accession No: <S91-1234|reference>", "specimen <S91-1234|reference>",
        "Patient ID: <P00123|reference>", "Patrick Hayes, M.D. <34764|reference>",
        "Our ref: <AB/1234/9|reference>", "ACCOUNT: <A574351|account>",
        "account number <366-60-98|account>", "policy <W44246886|health_plan>",
        "Member ID: <XYZ59136952|health_plan>", "Medicare No. <1EG4-TE5-MK72|health_plan>",
        "driver's license number is <755600751|licence>", "DL: <U62928788557186|licence>",
        "Passport No. <C01X0006H|licence>", "DEA #<AB1234563|licence>", "NPI: <1234567893|licence>",
        "pacemaker serial number <PJN8823471|device>", "S/N: <48213-AX|device>",
        "VIN: <1HGCM82633A004352|vehicle>", "license plate <7ABC123|vehicle>",
        "SSN: <438-77-1975|ssn>", "<438-77-1975|ssn>", "social security number is <081805372|ssn>",
        "device ID: <A-1234|device>",
        /* other countries */
        "NHS No: <943 476 5919|health_plan>", "Medicare <2953 70181 1|health_plan>",
        "Member ID <W2216 90341|health_plan>", "Aadhaar <4521 8890 1123|licence>",
        "My NMC PIN is <18K2214E|licence>", "Microchip: <977200004873121|device>",
        "Claim <HX-2291-0087|reference>", "the incident log <CR/48812/22|reference>",
        "IP No. <IP/2023/004512|reference>", "Family file <GF-0932|reference>",
        "Ann Long, Hosp. No. <80-92-14|reference>, born", "Hosp. No. <3163280|reference>",
        "MRN <1660 279|reference>, born", "MR#<6346 544|reference>",
        "Ann Long, #<33-55-74|reference>", "Medicaid, ID <807-179-659|reference>",
        "Re: claim <884379J|reference>, insured", "Ann Long, M.D.\n<K-45002|reference>",
        "Ann Long, M.D.\n<93549|reference>", "(group <GW-6815-88|health_plan>)",
        "Incident form <W-118820|reference> done", "pgr <4471|phone>",
        /* letters and digits in groups */
        "policy <BMH-7720-4416|reference>)", "Card <SAI 5501 8837 20|reference>",
        "auth. no. <CB-061177|reference>", "lic. <LCS 28846|reference>",
        "order <wm5530172|reference>", "item <17-4482-A|reference>",
        "No. <2006-CV-01139|reference>", "unit <LL-40923|reference>",
        "Medicare <1EG4-TE5-MK73|health_plan>", "Hosp. No: <K 20 88 416|reference>",
        "Medicare <3244 90817 5 1|health_plan>", "medical card was <M 40372 B|health_plan>",
        "MCR <14872G|licence>", "HKID <D482913(6)|ssn>", "CNIC <35202-5550147-8|ssn>",
        "AHV <756.1234.5678.97|ssn>", "<784-1985-1234567-1|ssn>", "C.F. <RSSMRA85M01H501U|ssn>",
        "NIR <1 85 05 78 006 084 36|ssn>", "ID: <690412 5718 08 3|ssn>", "<790614 5128 083|ssn>",
        "CPF <123.456.789-09|ssn>", "Steuer-ID <12 345 678 901|ssn>", "lot <7720416A|reference>",
        "UBRN: <0004 7716 2285|reference>", "Job <0076221|reference>",
        "(policy <KB-309-6618|reference>)", "PNC <09/118823K|reference>",
        "<S/0214/11/FL|reference>, rear", "Badge <3317|reference>", "PC <3382|reference> Hall",
        "booking reference <X7K9QP|reference>", "PNR <Q8ZL2M|reference>",
        "id <nsc88120456|reference>", "NINO confirmed <QQ654321A|ssn>", "SSN ending <6789|ssn>",
        "shows <QQ 12 34 56 C|ssn>", "in a van, <GX58 TMV|vehicle>", NULL});
}

/* Registers, licences and plates of many places; and codes that nothing is said of. */
static void registers(void **state)
{
    (void)state;
    hold_all((const char *const[]){"their ref <PF/ST/21/0093|reference>)",
                                   "case number (<PALS-23-0098|reference>)",
                                   "licence, number <19 552 804|reference>.",
                                   "Regd. No. <APMC/48812|reference>",
                                   "no. <334 917 205|reference>,",
                                   "collar no. <6620|reference>,",
                                   "ref <9F3C20E7A1|reference>",
                                   "NHI <DNR1237|reference>,",
                                   "PPSN <9678491TA|ssn>",
                                   "NRIC <S4703451F|ssn>",
                                   "for SRC <330127|reference>",
                                   "<BM-HC-5520981|reference> water",
                                   "<WKS-BIO-0419|reference>",
                                   "<SKF-21-0078|reference>",
                                   "<THEE 3254 0716|reference>",
                                   "Ogilvie (<TK4419|reference>)",
                                   "Ins # <PCM-6610-3398-02|reference>",
                                   "ID <8711195640085|reference>",
                                   "HCPC <CH 20991|licence>",
                                   "<BOXAL 610305 T99QV|licence>",
                                   "<XXXX XXXX 7093|licence>",
                                   "plate, <CKRZ 418|vehicle>",
                                   "<482-TRK|vehicle>",
                                   "vehicle <KL-01-CB-4471|vehicle>",
                                   "lorry (<ASD 1093|vehicle>)",
                                   "ending in <0073|card>",
                                   "sort <20-45-77|bank>",
                                   NULL});
    hold_all((const char *const[]){"number of 3", "the number 1994", "ref to 12", "no 12 men",
                                   "file under 5", "card games 3", "glucose 90 mg/dl 70-110",
                                   "ISO 9001", "RFC 2822", "{street_name}", NULL});
}

static void no_numbers(void **state)
{
    (void)state;
    hold_all((const char *const[]){"case of 3 men",
                                   "unit was closed",
                                   "chart review",
                                   "patient 12",
                                   "record high",
                                   "policy of truth",
                                   "account for 3",
                                   "000-12-3456",
                                   "licence to kill",
                                   "group therapy",
                                   "hospital day 3",
                                   "member states",
                                   "claim of 12",
                                   "pin it",
                                   "the group 3 men",
                                   "order 2-3",
                                   "platelets 20000",
                                   "Mrs <12345|reference> is",
                                   "taxes 200000",
                                   "COVID-19",
                                   "HLA-B27",
                                   "ISO-9001",
                                   "plan <2020|date>",
                                   "unit 4500 mL",
                                   "AES-256",
                                   "SARS-CoV-2",
                                   "CD20 POS, CD34 NEG",
                                   "booking office",
                                   "confirmation bias",
                                   "item 204",
                                   "license is granted",
                                   NULL});
}

static void network(void **state)
{
    (void)state;
    hold_all((const char *const[]){"to <andreaware@shields.com|email>.",
                                   "<j.o'hara+x@mail.co-op.example.org|email>",
                                   "at <https://www.LimitBuy.nl/|url>",
                                   "see <http://t.co/O90deSLB|url>, now",
                                   "<www.example.org/a?b=1|url>",
                                   "<example.com|url>",
                                   "<69.196.0.85|ip>",
                                   "<2001:db8:0:0:8:800:200c:417a|ip>",
                                   "<fe80::1ff:fe23:4567:890a|ip>",
                                   "<00:1A:2B:3C:4D:5E|device>",
                                   "<@Kirby517|user> oh",
                                   "<jsmith(at)example.org|email>",
                                   "username: <jsmith22|user>",
                                   "your login (<tbui04|user>) to",
                                   "operator: <mgarvey2|user>",
                                   "14:02 <snowgal_88|user>: hi",
                                   "signed in to online banking as <verity.oc71|user> from",
                                   "ask <snowgal_88|user> again",
                                   "friday, <pax_romana|user> leads",
                                   "the columns member_id and due_date",
                                   "Visitor (<gstrand2|user>): hi",
                                   "[3/11 7:40 PM] <Beans|user>: no",
                                   "<192.0.2.201|ip> - <ifreund90|user> [21",
                                   "<creaky_jeannie58|user> wrote:\nhad",
                                   "<leilani|user>  03:22  he is",
                                   "op=<ndiallo|user> from",
                                   "password for <dbenedikt|user> from <10.20.6.41|ip>",
                                   "posted as <leander_da_commander|user>,",
                                   "user <kwhitehorse3|user>,",
                                   "see <linktr.example/dilysbakes|url>",
                                   NULL});
    hold_all((const char *const[]){"999.999.999.999", "the end.No more", "e.g. this", "x@y",
                                   "p.o. b.i.d.", "::", "10:15 note: stable", "as bad as 10",
                                   NULL});
}

static void places(void **state)
{
    (void)state;
    hold_all((const char *const[]){"MA <02151|zip>",
                                   "South Annaside, DC  <88611|zip>",
                                   "Massachusetts <02139-4307|zip>",
                                   "zip code: <02139|zip>",
                                   "<02139-4307|zip>",
                                   "<SW1A 1AA|zip>",
                                   "<K1A 0B1|zip>",
                                   "Hyderabad - <500034|zip>",
                                   "<P.O. Box 123|street>",
                                   "<PO Box 7|street>",
                                   "<620 Tupelo Ct|street>, the",
                                   "<2/31 Conyers Street|street> was",
                                   "<600 block Tupelo Ct|street>",
                                   "<Unit 9876 Box 1234\nDPO AP 12345|street>",
                                   "<42.3601, -71.0589|coordinates>",
                                   "lat: <42.36|coordinates>",
                                   "Wynnum <QLD|state> <4178|zip>",
                                   "State: <MD|state>   Zip: 2",
                                   "Port Moody, <B.C.|state> and",
                                   "<Unit 3/88 Sturgess St|street>,",
                                   "<RD 3|street>, Winton",
                                   "Co. Mayo, <F28 XY09|zip>",
                                   "<Private Bag X2041|street>, R",
                                   "London, <E.C.3|zip>",
                                   NULL});
    hold_all(
        (const char *const[]){"12345 people", "in 10000", "platelets 20000", "a T12 PAIN", NULL});
}

static void money(void **state)
{
    (void)state;
    hold_all((const char *const[]){
        "<4111111111111111|card>", "<4111 1111 1111 1111|card>", "<5500-0000-0000-0004|card>",
        "<3400 000000 00009|card>", "IBAN <GB82 WEST 1234 5698 7654 32|bank>",
        "<gb82west12345698765432|bank>", "<DE89370400440532013000|bank>",
        "Visa <4152-31**-****-7788|card>", "sort code <20-44-91 / 70338125|bank>",
        "routing number <021000021|bank>", "SWIFT: <DEUTDEFF500|bank>",
        "<bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq|bank>",
        "<1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2|bank>", "debit card, <4000 1234 5678 9017|card>.",
        "my card (ending <7782|card>) was", "card no. ending <0091|card>", NULL});
    hold_all((const char *const[]){"$1,200.50", "costs 20 dollars", "EUR 30", NULL});
}

static void signing_off(void **state)
{
    (void)state;
    hold_all((const char *const[]){
        "T: <3-4-95|date> <lrp|initials>",
        "D <09/23/19|date>  T <09/24/19|date>  <sa/hmw|initials>",
        "Transcribed <26/02/2020|date> <mtw|initials>", "Typed <em|initials> <04/28/2023|date>",
        "<EF / rk|initials>", "Tech <KMW|initials>, Counsellor: <MB|initials>",
        "<LT|initials> (initial)", "<RN/jk|initials>", "<VS:rl|initials>", "<GTH/mlw|initials>",
        "Dictated by: <JK|initials>", "Scribe: <TLQ|initials>", "seen by <HJ|initials>, ref",
        "no dizziness. ------ <BL|initials>", NULL});
    hold_all((const char *const[]){"children, <M.R.C.|initials> (age <11|age>) and", NULL});
    hold_all((const char *const[]){"(goes by <Charlie|nickname>)",
                                   "LINDQVIST, aka \"<Toby|nickname>\"", NULL});
    hold_all((const char *const[]){"and/or", "w/o", "II/VI", "A/B", NULL});
}

/* What is kept though it has digits, alone and in sentences. */
static void kept(void **state)
{
    (void)state;
    hold_all((const char *const[]){
        "on digoxin 0.125 mg p.o. b.i.d. and 20 mg of prednisone",
        "Hematocrit 34.2, white count 11.3, BUN 18, creatinine 1.1, glucose 142",
        "T 98.6, P 88, R 16",
        "sats 95% air, RR 18, BP 142/80, unaided VA 6/12",
        "Ticagrelor 90 mg BD x 12/12",
        "Ejection fraction 45% by echo",
        "L4-L5 and C5-6",
        "reflexes were 2+ bilaterally",
        "a&o x3",
        "at 0730 and again at 1945",
        "at 10:15",
        "9:30 AM",
        "2 pm",
        "Apgar scores 8 and 9 at 1 and 5 minutes",
        "Weight 82.1 kg, height 170 cm, BMI 28.4",
        "type 2 diabetes",
        "NYHA class IIb, bed no. 5",
        "Glasgow coma scale 15",
        "2 puffs q4h",
        "at 28 weeks gestation",
        "G2P1",
        "5 x 3 x 2 cm",
        "1,200 cc",
        "250 mg t.i.d.",
        "3 to 4 times",
        "5'10\"",
        "potassium 4.1",
        "an INR of 2.5",
        "10 of 12",
        NULL});
}

/* What one set of templates remembers of words is nothing to another, in whatever order they look.
 */
static void two_sets(void **state)
{
    (void)state;
    static const char text[] = "ward north room 12, and ward south room 3; seen on ward 5";
    marks a, b;
    marks_open(&a, "");
    marks_open(&b,
               "reference 80 ward {north, south} room <d*1-3>\nreference 81 seen on ward <d>\n");
    for (int round = 0; round < 3; round++) {
        marks_propose(&a, text);
        size_t fewer = a.proposals.count;
        marks_propose(&b, text);
        assert_int_equal(b.proposals.count, fewer + 3);
        for (int turn = 0; turn < 4; turn++) { /* one document, read once, for both */
            marks *m = turn < 2 ? &b : &a;
            m->of_words.count = 0;
            assert_int_equal(
                tacit__templates_propose_in(&m->of_words, m->matcher, &a.document, NULL), TACIT_OK);
            assert_int_equal(m->of_words.count, m->proposals.count);
        }
    }
    marks_close(&a);
    marks_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_113), cmocka_unit_test(dates),      cmocka_unit_test(short_dates),
        cmocka_unit_test(registers),  cmocka_unit_test(no_dates),   cmocka_unit_test(phones),
        cmocka_unit_test(no_phones),  cmocka_unit_test(ages),       cmocka_unit_test(no_ages),
        cmocka_unit_test(numbers),    cmocka_unit_test(no_numbers), cmocka_unit_test(network),
        cmocka_unit_test(places),     cmocka_unit_test(money),      cmocka_unit_test(signing_off),
        cmocka_unit_test(kept),       cmocka_unit_test(two_sets)};
    return cmocka_run_group_tests(tests, open_shipped, close_shipped);
}
