import { css } from "lit";

export const auditStyles = css`
  .audit h1,
  .audit h2,
  .audit h3 {
    font: 600 var(--text-m) / 1.3 var(--font-ui);
  }
  .audit .good {
    color: var(--good);
  }
  .audit .bad {
    color: var(--bad);
  }
  .audit .soft {
    color: var(--ink-soft);
    font-size: var(--text-s);
  }
  .audit ul,
  .audit ol {
    padding-inline-start: var(--s5);
  }
  .audit-head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--s1) var(--s4);
    min-block-size: 3.5rem;
  }
  .audit-head .verdict {
    margin-inline-start: auto;
    font-weight: 600;
    font-size: var(--text-s);
  }
  .audit-head .back {
    display: inline-flex;
    align-items: center;
    min-block-size: 44px;
    color: var(--ink-soft);
    text-decoration: none;
  }
  .audit-head .back:hover {
    color: var(--ink);
  }
  .audit-head .back svg:dir(rtl) {
    scale: -1 1;
  }
  .audit main:has(.search, .nothing) .audit-head {
    max-inline-size: 76rem;
    margin-inline: auto;
  }
  .audit main {
    padding: 0 var(--s5) var(--s5);
    outline: none;
  }
  .timeline {
    display: flex;
    margin-block-start: var(--s4);
    gap: var(--s3);
    align-items: center;
  }
  .timeline .track {
    position: relative;
    flex: 1;
    min-inline-size: 0;
    block-size: 44px;
    border-radius: var(--r-s);
    background: var(--sunken);
  }
  .track svg {
    position: absolute;
    inset: 0 8px;
    inline-size: calc(100% - 16px);
    block-size: 100%;
  }
  /* Time runs as the slider does. */
  .track svg:dir(rtl),
  .moment figure svg:dir(rtl) {
    scale: -1 1;
  }
  .track input {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
    margin: 0;
    appearance: none;
    background: none;
    cursor: ew-resize;
  }
  .track input::-webkit-slider-thumb {
    appearance: none;
    inline-size: 16px;
    block-size: 44px;
    border-inline: 7px solid transparent;
    background: var(--ink) content-box;
    background-clip: padding-box;
  }
  .tick {
    fill: none;
    stroke: var(--line-strong);
    stroke-width: 2.5;
    vector-effect: non-scaling-stroke;
  }
  .tick.good {
    stroke: var(--good);
  }
  .tick.bad {
    stroke: var(--bad);
  }
  .tick.moved {
    stroke: var(--accent);
  }
  .audit-body {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(20rem, 26rem);
    margin-block-start: var(--s4);
    border-block-start: 1px solid var(--line);
  }
  .entries {
    block-size: calc(100dvh - 15rem);
    min-block-size: 16rem;
    overflow: auto;
  }
  .audit table {
    inline-size: 100%;
    border-collapse: collapse;
    font-size: var(--text-s);
    text-align: start;
  }
  .audit th {
    text-align: start;
    font-weight: 500;
    color: var(--ink-soft);
  }
  .entries thead th {
    position: sticky;
    inset-block-start: 0;
    background: var(--paper);
    /* A border would scroll away with the rows. */
    box-shadow: inset 0 -1px var(--line);
  }
  .entries td,
  .entries th {
    block-size: 37px;
    padding: 0 var(--s3);
    overflow: hidden;
    border-block-end: 1px solid var(--line);
    white-space: nowrap;
  }
  .entries tr[aria-rowindex] {
    cursor: pointer;
  }
  .entries td button {
    min-inline-size: 24px;
    min-block-size: 24px;
    text-align: start;
  }
  /* What is written from the other side stands under its column's head all the same. */
  .entries :is(.about, .hash),
  .found :is(b, bdi) {
    text-align: match-parent;
  }
  @supports not (text-align: match-parent) {
    .entries :is(.about, .hash),
    .found :is(b, bdi) {
      text-align: -webkit-match-parent;
    }
  }
  .entries .via {
    color: var(--ink-soft);
    font-size: var(--text-xs);
  }
  .entries .none {
    color: var(--ink-faint);
    font-size: var(--text-xs);
  }
  .entries .about {
    max-inline-size: 24rem;
    white-space: normal;
  }
  /* Two lines stand in a row of the height that rows have. */
  .entries .about > span {
    display: -webkit-box;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    line-clamp: 2;
    line-height: 1.2;
    overflow-wrap: anywhere;
  }
  .entries .chosen {
    background: var(--accent-wash);
  }
  .entries .chosen .none {
    color: var(--ink-soft);
  }
  .entries .differs {
    background: var(--bad-wash);
  }
  .audit td.hash {
    font-family: var(--font-code);
    font-size: var(--text-xs);
  }
  .moment {
    display: grid;
    align-content: start;
    gap: var(--s3);
    block-size: calc(100dvh - 15rem);
    min-block-size: 16rem;
    padding: var(--s4);
    overflow: auto;
    border-inline-start: 1px solid var(--line);
    overflow-wrap: anywhere;
  }
  .moment h2 {
    margin-block-start: var(--s3);
  }
  .moment > h2:first-child {
    margin: 0;
    color: var(--ink-soft);
    font-size: var(--text-s);
  }
  .moment .differing {
    padding: var(--s3) var(--s4);
    border: 1px solid var(--bad);
    border-radius: var(--r-m);
    background: var(--bad-wash);
  }
  .moment .differing h2 {
    margin: 0;
    color: var(--bad);
  }
  .moment .shown {
    display: grid;
    gap: var(--s3);
    min-inline-size: 0;
  }
  .moment .prose {
    font-size: 1rem;
    line-height: 1.55;
  }
  .moment .prompt {
    font-size: var(--text-l);
  }
  .moment .rule {
    font-size: var(--text-s);
    line-height: 1.5;
  }
  .moment .choices,
  .moment .criteria {
    display: grid;
    gap: var(--s1);
    padding: 0;
    margin: 0;
    list-style: none;
  }
  .moment .choices li {
    display: flex;
    justify-content: space-between;
    align-items: baseline;
    gap: var(--s3);
    padding: var(--s2) var(--s3);
    border: 1px solid var(--line);
    border-radius: var(--r-m);
    color: var(--ink);
  }
  .moment .choices small {
    flex: none;
    font: 500 var(--text-xs) / 1.4 var(--font-ui);
  }
  .moment .choices .chosen {
    border-color: currentcolor;
  }
  .moment .choices .good {
    border-color: var(--good);
  }
  .moment .choices .bad {
    border-color: var(--bad);
  }
  .moment .choices .good small {
    color: var(--good);
  }
  .moment .choices .bad small {
    color: var(--bad);
  }
  .moment .criteria li {
    display: grid;
    grid-template-columns: 18px 1fr;
    gap: var(--s2);
  }
  .moment .facts {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: var(--s1) var(--s4);
    margin: 0;
    color: var(--ink-soft);
    font-size: var(--text-s);
  }
  .moment .facts div {
    display: contents;
  }
  .moment .facts dd {
    margin: 0;
    color: var(--ink);
  }
  .moment .facts .good {
    color: var(--good);
  }
  .moment .facts .bad {
    color: var(--bad);
  }
  .moment .path {
    padding: 0;
    margin: 0;
    list-style: none;
    font-size: var(--text-s);
  }
  .moment .path li {
    position: relative;
    display: grid;
    grid-template-columns: 18px minmax(0, 1fr);
    gap: var(--s3);
    padding-block-end: var(--s3);
  }
  .moment .path li:not(:last-child)::before {
    content: "";
    position: absolute;
    inset-block: 18px 0;
    inset-inline-start: 8px;
    inline-size: 1.5px;
    background: var(--line);
  }
  .moment .path i {
    display: grid;
    place-items: center;
    inline-size: 17px;
    block-size: 17px;
    border: 1.5px solid var(--line-strong);
    border-radius: 50%;
    color: var(--paper);
    font-size: 13px;
  }
  .moment .path .mastered i {
    border-color: var(--good);
    background: var(--good);
  }
  .moment .path .skipped i {
    border-style: dashed;
  }
  .moment .path .current i {
    border-color: var(--accent);
    box-shadow: 0 0 0 4px var(--accent-wash);
  }
  .moment .path b {
    font-weight: 500;
  }
  .moment .path .current b {
    font-weight: 650;
  }
  .moment .path small {
    display: block;
    color: var(--ink-soft);
    font-size: var(--text-xs);
  }
  .moment figcaption {
    display: flex;
    justify-content: space-between;
    gap: var(--s3);
    font-size: var(--text-s);
  }
  .moment figcaption b {
    white-space: nowrap;
  }
  .moment figure svg {
    inline-size: 100%;
    block-size: 42px;
    background: var(--sunken);
  }
  .moment figure path {
    fill: none;
    vector-effect: non-scaling-stroke;
  }
  .moment .curve {
    stroke: var(--accent);
    stroke-width: 2;
  }
  .moment .goal {
    stroke: var(--ink-faint);
    stroke-dasharray: 3 3;
  }
  .moment .differences {
    margin-block-start: var(--s2);
  }
  .moment summary {
    min-block-size: 32px;
    padding-block: 5px;
    color: var(--ink-soft);
    font-size: var(--text-s);
    cursor: pointer;
  }
  .search {
    max-inline-size: 76rem;
    margin-inline: auto;
  }
  .nothing {
    display: grid;
    justify-items: center;
    gap: var(--s3);
    max-inline-size: 30rem;
    margin: 14dvh auto 0;
    color: var(--ink-soft);
    text-align: center;
  }
  .audit .nothing h2 {
    font: 600 var(--text-2xl) / 1.25 var(--font-read);
    color: var(--ink);
  }
  .filters {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr));
    align-items: end;
    gap: var(--s3);
  }
  .filters label {
    display: grid;
    gap: var(--s1);
    font-size: var(--text-s);
    color: var(--ink-soft);
  }
  .filters input {
    min-block-size: 44px;
    min-inline-size: 0;
    padding-inline: var(--s3);
    border: 1px solid var(--line-strong);
    border-radius: var(--r-m);
    background: var(--raised);
    color: var(--ink);
  }
  .audit .found {
    margin-block: var(--s4);
  }
  .found :is(th, td) {
    padding: var(--s2) var(--s3);
    border-block-end: 1px solid var(--line);
    vertical-align: middle;
  }
  .found tbody tr {
    position: relative;
  }
  .found tbody tr:hover {
    background: var(--sunken);
  }
  .found a {
    display: inline-flex;
    align-items: center;
    min-block-size: 44px;
    color: var(--ink);
    font: 600 var(--text-m) / 1.3 var(--font-ui);
    text-decoration: none;
  }
  /* The whole row is the link. */
  .found a::after {
    content: "";
    position: absolute;
    inset: 0;
  }
  .found tr:hover a {
    text-decoration: underline;
    text-underline-offset: 3px;
  }
  .found .bars {
    display: flex;
    min-inline-size: 3rem;
    gap: 3px;
    align-items: end;
    block-size: 24px;
  }
  .found .bars i {
    --mastery: var(--ink-faint);
    flex: 0 1 14px;
    block-size: 100%;
    border-radius: 2px;
    background: linear-gradient(to top, var(--mastery) calc(var(--p) * 100%), var(--line) 0);
    forced-color-adjust: none;
  }
  .found .bars .mastered {
    --mastery: var(--good);
  }
  .audit .ways {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: var(--s2) var(--s3);
  }
  @media (max-width: 52rem) {
    .audit main {
      padding-inline: var(--s4);
    }
    .audit-body {
      grid-template-columns: minmax(0, 1fr);
    }
    .moment {
      block-size: auto;
      padding-inline: 0;
      border-inline-start: 0;
    }
    .audit-head .verdict {
      flex: 1 1 auto;
      margin-inline-start: 0;
    }
    .found :is(thead, td:nth-child(3), td:nth-child(5)) {
      display: none;
    }
    .audit table.found,
    .found tbody {
      display: block;
    }
    .found tbody tr {
      display: grid;
      grid-template-columns: 1fr auto;
      gap: 0 var(--s3);
      padding: var(--s2) 0;
      border-block-end: 1px solid var(--line);
    }
    .found tbody :is(th, td) {
      padding: 0;
      border: 0;
    }
    .entries :is(td, th) {
      padding-inline: var(--s1);
    }
    .entries {
      block-size: 18rem;
    }
    .entries .when,
    .entries .about,
    .entries .hash {
      display: none;
    }
  }
  @media (forced-colors: active) {
    .track input::-webkit-slider-thumb {
      inline-size: 3px;
      border: 0;
      background: Highlight;
    }
    .entries :is(.chosen, .differs),
    .moment .choices .chosen,
    .moment .path .current i {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
    .entries .differs:not(.chosen) {
      outline-color: CanvasText;
      outline-style: dashed;
    }
  }
`;
