/*
 * style.c - the page's looks, in one place and inside the page, so that it can
 * be mailed, archived and printed by itself.
 *
 * One column of text, system fonts, colours as variables with a dark set. The
 * two series are a blue and an amber that differ in lightness too, so they stay
 * apart for every kind of colour vision and in grey print. Curves have hues of
 * their own where they are different things, and shades of one where they are
 * steps of a scale; shapes and names tell them apart as well. The fields of a
 * heat map are shades of the same blue; what is written on them has a contrast
 * of 4.5 or more. Verdicts carry a sign and words besides their colour. Charts
 * take their width from the page and keep their type at its size (see bars.c).
 */
#include "report/page.h"

const char tacit__page_style[] =
    ":root{color-scheme:light dark;--paper:#fff;--ink:#1c2430;--soft:#5a6675;--line:#dde2e8;"
    "--faint:#f5f7f9;--first:#e0a040;--second:#1f66a6;--good:#1b6b45;--good-paper:#e9f5ee;"
    "--bad:#a1281f;--bad-paper:#fcedeb}"
    "@media (prefers-color-scheme:dark){:root{--paper:#14181e;--ink:#e4e8ed;--soft:#9aa6b4;"
    "--line:#303843;--faint:#1c222a;--first:#d9a04a;--second:#6aaee6;--good:#7fd3a5;"
    "--good-paper:#15291f;--bad:#f2998f;--bad-paper:#331b19}}"
    "*{box-sizing:border-box}"
    "body{margin:0;background:var(--paper);color:var(--ink);"
    "font:16px/1.55 system-ui,-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\",\"DejaVu Sans\","
    "sans-serif;-webkit-text-size-adjust:100%}"
    "main,footer{max-width:60rem;margin:0 auto;padding:0 1.25rem}"
    "main{padding-top:2.5rem}"
    "h1{font-size:1.75rem;line-height:1.25;font-weight:650;letter-spacing:-.01em;margin:0 0 .35rem;"
    "overflow-wrap:anywhere}"
    "h1+p{color:var(--soft);margin:0 0 1.5rem}"
    "h2{font-size:1.15rem;font-weight:650;line-height:1.3;margin:2.5rem 0 .5rem}"
    "p{margin:0 0 1rem;max-width:44rem;overflow-wrap:anywhere}"
    ".banner{display:flex;gap:.7rem;max-width:none;margin:1.25rem 0;padding:.75rem 1rem;"
    "border-left:4px solid;border-radius:4px;font-weight:600}"
    ".banner.good{color:var(--good);background:var(--good-paper)}"
    ".banner.bad{color:var(--bad);background:var(--bad-paper)}"
    ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:1px;"
    "margin:1.25rem 0;border:1px solid var(--line);border-radius:6px;overflow:hidden;"
    "background:var(--line)}"
    ".tiles div{display:flex;flex-direction:column-reverse;justify-content:flex-end;"
    "padding:.8rem 1rem;background:var(--paper)}"
    ".tiles dt{color:var(--soft);font-size:.85rem;line-height:1.35}"
    ".tiles dd{margin:0;font-size:1.5rem;font-weight:600;line-height:1.3;"
    "font-variant-numeric:tabular-nums;word-spacing:-.12em;overflow-wrap:anywhere}"
    ".scroll{overflow-x:auto;margin:.75rem 0 1.25rem}"
    "table{border-collapse:collapse;width:100%;font-size:.92rem;line-height:1.4}"
    ".short{width:auto;min-width:min(100%,26rem)}"
    "caption{text-align:left;color:var(--soft);padding:0 0 .5rem;font-size:.92rem}"
    "th,td{text-align:left;vertical-align:top;padding:.45rem 1.25rem .45rem 0;"
    "border-bottom:1px solid var(--line)}"
    "th:last-child,td:last-child{padding-right:0}"
    "thead "
    "th{color:var(--soft);font-weight:600;vertical-align:bottom;border-bottom-color:var(--soft)}"
    "tbody th{font-weight:600}"
    ".number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums;"
    "word-spacing:-.12em}"
    "td:not(.number){min-width:7.5rem}"
    "thead .number{white-space:normal;word-spacing:normal}"
    "figure{margin:1rem 0 1.5rem}"
    "figcaption{font-weight:600;margin-bottom:.4rem}"
    ".legend{display:flex;flex-wrap:wrap;gap:.2rem 1.25rem;margin:0 0 .5rem;color:var(--soft);"
    "font-size:.88rem}"
    ".legend span::before{content:\"\";display:inline-block;width:.8em;height:.8em;"
    "margin-right:.45em;border-radius:2px;background:var(--first)}"
    ".legend .second::before{background:var(--second)}"
    ".chart{overflow-x:auto;overflow-y:hidden}"
    "svg{display:block;overflow:visible;font-size:12px;font-variant-numeric:tabular-nums}"
    "svg text{fill:var(--soft)}svg .grid{stroke:var(--line)}svg .base{stroke:var(--soft)}"
    "svg .first{fill:var(--first)}svg .second{fill:var(--second)}"
    "svg .marker{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:5 4}"
    "svg .named{fill:var(--ink);font-weight:600}"
    "details{font-size:.92rem}summary{color:var(--soft);cursor:pointer;width:fit-content}"
    "footer{color:var(--soft);font-size:.85rem;margin-top:2.5rem;padding-bottom:2rem}"
    "footer p{border-top:1px solid var(--line);padding-top:.75rem;max-width:none}"
    "@media (max-width:34rem){main{padding-top:1.5rem}h1{font-size:1.4rem}"
    ".tiles{grid-template-columns:repeat(2,1fr)}.tiles dd{font-size:1.25rem}"
    ".tiles div:last-child:nth-child(odd){grid-column:span 2}}"
    "@media print{:root{--paper:#fff;--ink:#000;--soft:#444;--line:#bbb;--first:#e0a040;"
    "--second:#1f66a6;--good:#1b6b45;--good-paper:#e9f5ee;--bad:#a1281f;--bad-paper:#fcedeb}"
    "body{font-size:11pt}main,footer{max-width:none;padding:0}details{display:none}"
    "h2{break-after:avoid}figure,tr,.banner,.tiles{break-inside:avoid}"
    ".scroll,.chart{overflow:visible}"
    "svg,.banner,.legend span{-webkit-print-color-adjust:exact;print-color-adjust:exact}}";

/* A string of its own, for compilers need not take longer ones. */
const char tacit__curve_style[] =
    ".curve line{stroke:var(--curve);stroke-width:2;stroke-linecap:round}"
    ".curve path{fill:var(--curve);stroke:var(--paper);stroke-width:1}"
    ".curve text{fill:var(--ink)}.curve .lead{stroke-width:1}"
    ".bound line:not(.lead){stroke-dasharray:1 5}"
    ".hue0{--curve:#1f66a6}.hue1{--curve:#b5651d}.hue2{--curve:#1b7f5c}.hue3{--curve:#a33b7a}"
    ".hue4{--curve:#6a53b5}.hue5{--curve:#7a6a00}.hue6{--curve:#b03a2e}.hue7{--curve:#566270}"
    ".shade0{--curve:#7fb0dc}.shade1{--curve:#689fd1}.shade2{--curve:#528dc4}"
    ".shade3{--curve:#3e7cb5}.shade4{--curve:#2c6aa4}.shade5{--curve:#1e588f}"
    ".shade6{--curve:#134777}.shade7{--curve:#0a355d}"
    "@media screen and (prefers-color-scheme:dark){"
    ".hue0{--curve:#6aaee6}.hue1{--curve:#e0a458}.hue2{--curve:#5fc79b}.hue3{--curve:#e08cbf}"
    ".hue4{--curve:#b0a0f0}.hue5{--curve:#c9bb4a}.hue6{--curve:#f08a7e}.hue7{--curve:#a9b5c3}"
    ".shade0{--curve:#35597b}.shade1{--curve:#416d96}.shade2{--curve:#4f82b0}"
    ".shade3{--curve:#5f97c8}.shade4{--curve:#75abda}.shade5{--curve:#90bfe8}"
    ".shade6{--curve:#aed3f4}.shade7{--curve:#d0e7fc}}";

const char tacit__heat_style[] =
    ".heat0{--heat:var(--faint)}.heat1{--heat:#e0ecf7}.heat2{--heat:#c3daef}"
    ".heat3{--heat:#9cc3e5}.heat4{--heat:#6fa6d6}.heat5{--heat:#3174ae}.heat6{--heat:#1d5990}"
    ".heat7{--heat:#0c3a67}"
    "@media screen and (prefers-color-scheme:dark){"
    ".heat1{--heat:#20354b}.heat2{--heat:#274664}.heat3{--heat:#2f5780}.heat4{--heat:#386998}"
    ".heat5{--heat:#6ea4d3}.heat6{--heat:#a0c8ec}.heat7{--heat:#d8ebfc}}"
    "svg [class^=heat] rect{fill:var(--heat);stroke:var(--paper);stroke-width:1}"
    "svg [class^=heat] text{fill:var(--ink)}"
    "svg .heat5 text,svg .heat6 text,svg .heat7 text{fill:var(--paper)}"
    ".legend [class^=heat]::before{background:var(--heat)}"
    ".legend .heat0::before{outline:1px solid var(--line);outline-offset:-1px}";
