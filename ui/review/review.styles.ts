import { css } from "lit";

export const reviewStyles = css`
  .review main {
    outline: none;
  }
  .review-body {
    display: grid;
    padding: var(--s5);
  }
  .review .column {
    display: grid;
    align-content: start;
    gap: var(--s4);
    inline-size: min(100%, 42rem);
    min-inline-size: 0;
    margin-inline: auto;
  }
  .review .soft {
    color: var(--ink-soft);
    font-size: var(--text-s);
  }
  .review .where {
    padding: var(--s2) var(--s3);
    border-radius: var(--r-m);
    background: var(--warn-wash);
    color: var(--ink);
    font-size: var(--text-s);
  }
  .how-far {
    display: grid;
    gap: var(--s1);
  }
  .how-far p {
    display: flex;
    justify-content: space-between;
    gap: var(--s3);
    font-size: var(--text-s);
    font-variant-numeric: tabular-nums;
  }
  .how-far progress {
    appearance: none;
    inline-size: 100%;
    block-size: 6px;
    overflow: hidden;
    border: 0;
    border-radius: var(--r-pill);
    background: var(--line);
  }
  .how-far progress::-webkit-progress-bar {
    background: var(--line);
  }
  .how-far progress::-webkit-progress-value {
    border-radius: var(--r-pill);
    background: var(--accent);
    transition: inline-size var(--calm) var(--ease);
  }
  .how-far progress::-moz-progress-bar {
    background: var(--accent);
  }
  .asked {
    display: grid;
    gap: var(--s4);
    min-inline-size: 0;
    padding: clamp(1rem, 4vw, 2rem);
    border: 1px solid var(--line);
    border-radius: var(--r-l);
    background: var(--raised);
    box-shadow: var(--shadow-1);
    overflow-wrap: anywhere;
  }
  .asked:focus-visible {
    box-shadow: var(--shadow-1);
  }
  .asked .from {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s1) var(--s3);
    color: var(--ink-soft);
    font-size: var(--text-s);
  }
  .asked .kind {
    font-weight: 600;
    color: var(--ink);
  }
  .asked .fresh {
    padding-inline: var(--s2);
    border-radius: var(--r-pill);
    background: var(--accent-wash);
    color: var(--accent);
    font-weight: 600;
  }
  .asked h2 {
    display: grid;
    gap: var(--s2);
    font: 500 var(--text-xl) / 1.4 var(--font-read);
    text-wrap: pretty;
  }
  .asked h2 small {
    font: var(--text-m) / 1.4 var(--font-ui);
    color: var(--ink-soft);
  }
  .asked h2 colloquy-quiz-text {
    font: inherit;
  }
  .asked colloquy-quiz-text {
    display: block;
  }
  .asked > .choices {
    display: grid;
    gap: var(--s2);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .asked > .choices li {
    display: flex;
    justify-content: space-between;
    align-items: center;
    gap: var(--s3);
    padding: var(--s2) var(--s4);
    border: 1px solid var(--line);
    border-radius: var(--r-m);
  }
  .asked > .choices .right {
    border-color: var(--good);
    background: var(--good-wash);
  }
  .asked > .choices b {
    display: inline-flex;
    flex: none;
    white-space: nowrap;
    align-items: center;
    gap: var(--s1);
    color: var(--good);
    font-size: var(--text-s);
  }
  .asked .reveal .button {
    inline-size: 100%;
    min-block-size: 52px;
  }
  .review kbd {
    padding: 1px 6px;
    border: 1px solid currentcolor;
    border-radius: var(--r-s);
    font: 500 var(--text-xs) / 1.4 var(--font-ui);
  }
  .asked .answer {
    display: grid;
    gap: var(--s3);
    padding-block-start: var(--s4);
    border-block-start: 1px solid var(--line);
  }
  .asked .answer h3 {
    font: 600 var(--text-s) / 1.4 var(--font-ui);
    color: var(--ink-soft);
  }
  .asked :is(.answer h3, #review-marked) {
    outline: none;
    box-shadow: none;
  }
  .asked figure {
    display: grid;
    gap: var(--s2);
    margin: 0;
  }
  .asked blockquote {
    max-block-size: 22rem;
    margin: 0;
    padding-inline-start: var(--s4);
    border-inline-start: 3px solid var(--accent);
    overflow: auto;
    font: var(--text-l) / 1.6 var(--font-read);
  }
  .asked figcaption {
    font-size: var(--text-s);
  }
  .asked figcaption a {
    display: inline-flex;
    align-items: center;
    min-block-size: 44px;
  }
  /* What gets the focus is scrolled out from under the ratings. */
  :root:has(.review .grades) {
    scroll-padding-block-end: calc(64px + 2 * var(--s2) + var(--s1));
  }
  .grades {
    position: sticky;
    inset-block-end: 0;
    display: grid;
    grid-template-columns: repeat(4, minmax(0, 1fr));
    gap: var(--s2);
    padding-block: var(--s2);
    background: var(--raised);
  }
  .grades .grade {
    display: grid;
    justify-items: center;
    gap: 2px;
    min-block-size: 64px;
    padding: var(--s2);
    border: 1px solid var(--line-strong);
    border-radius: var(--r-m);
    background: var(--paper);
  }
  .grades .grade:hover {
    border-color: var(--accent);
    background: var(--accent-wash);
  }
  .grades .grade span {
    color: var(--ink-soft);
    font-size: var(--text-s);
    font-variant-numeric: tabular-nums;
  }
  .grades .g1 b {
    color: var(--bad);
  }
  .grades .g2 b {
    color: var(--warn);
  }
  .grades .g3 b {
    color: var(--good);
  }
  .grades .g4 b {
    color: var(--accent);
  }
  .tools {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: var(--s2);
  }
  .tools:empty {
    display: none;
  }
  .tools .quiet {
    display: inline-flex;
    align-items: center;
    gap: var(--s2);
    min-block-size: 44px;
    padding-inline: var(--s3);
    border-radius: var(--r-m);
    color: var(--ink-soft);
    font-size: var(--text-s);
  }
  .tools .quiet:hover {
    background: var(--sunken);
    color: var(--ink);
  }
  .review .standing {
    display: grid;
    gap: var(--s3);
    inline-size: min(100%, 42rem);
    margin-inline: auto;
    padding: clamp(1rem, 4vw, 2rem);
    border: 1px solid var(--line);
    border-radius: var(--r-l);
    background: var(--raised);
  }
  .review .standing:focus-visible {
    box-shadow: none;
  }
  .review .standing h2 {
    font: 600 var(--text-2xl) / 1.25 var(--font-read);
  }
  .review .standing h3 {
    margin-block-start: var(--s3);
    font: 600 var(--text-s) / 1.4 var(--font-ui);
    color: var(--ink-soft);
  }
  .week {
    display: grid;
    grid-template-columns: repeat(7, minmax(0, 1fr));
    gap: var(--s2);
    margin: 0;
    padding: 0;
    list-style: none;
    text-align: center;
    font-size: var(--text-s);
  }
  .week li {
    position: relative;
    display: grid;
    gap: var(--s1);
  }
  .week .count {
    min-block-size: 1.4em;
    font-variant-numeric: tabular-nums;
  }
  .week svg {
    inline-size: min(100%, 3rem);
    margin-inline: auto;
    block-size: 72px;
    border-block-end: 1px solid var(--line-strong);
  }
  .week .due {
    fill: var(--accent);
  }
  .week .new {
    fill: color-mix(in oklab, var(--accent), var(--raised) 60%);
  }
  .legend i {
    display: inline-block;
    margin-inline-end: var(--s1);
    inline-size: 10px;
    block-size: 10px;
    border-radius: 3px;
  }
  .legend .due {
    background: var(--accent);
  }
  .legend .new {
    margin-inline: var(--s3) var(--s1);
    background: color-mix(in oklab, var(--accent), var(--raised) 60%);
  }
  .below {
    display: grid;
    gap: var(--s2);
    padding-block-start: var(--s4);
  }
  .below summary {
    display: flex;
    align-items: center;
    min-block-size: 44px;
    cursor: pointer;
    color: var(--ink-soft);
    font-size: var(--text-s);
    font-weight: 550;
  }
  .below summary::before {
    content: "";
    inline-size: 7px;
    block-size: 7px;
    margin-inline: 3px 10px;
    border: solid currentcolor;
    border-width: 0 1.5px 1.5px 0;
    rotate: -45deg;
  }
  .below [open] > summary::before {
    rotate: 45deg;
  }
  .below ul {
    display: grid;
    gap: var(--s2);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .below li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: var(--s1) var(--s3);
    font-size: var(--text-s);
  }
  .below li small {
    color: var(--ink-soft);
  }
  .how-much label {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: var(--s1) var(--s3);
    padding-block: var(--s1);
    font-size: var(--text-s);
  }
  .how-much select,
  .how-much input {
    min-block-size: 44px;
    padding-inline: var(--s3);
    border: 1px solid var(--line-strong);
    border-radius: var(--r-m);
    background: var(--raised);
  }
  .how-much input {
    inline-size: 6rem;
  }
  .review aside {
    display: grid;
    grid-template-rows: auto minmax(0, 1fr);
    overflow: hidden;
    border: 1px solid var(--line);
    background: var(--paper);
  }
  .review aside header {
    display: flex;
    align-items: center;
    justify-content: space-between;
    padding-inline: var(--s4) var(--s1);
    border-block-end: 1px solid var(--line);
    font-size: var(--text-s);
  }
  .review aside header a {
    display: inline-flex;
    align-items: center;
    min-block-size: 44px;
  }
  .review .square {
    display: grid;
    place-items: center;
    inline-size: 44px;
    block-size: 44px;
    border-radius: var(--r-m);
    color: var(--ink-soft);
    font-size: 18px;
  }
  @media (min-width: 64rem) {
    .review-body.with-beside {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
      gap: var(--s5);
    }
    .review aside {
      position: sticky;
      inset-block-start: var(--s4);
      block-size: calc(100dvh - 2 * var(--s4));
      border-radius: var(--r-l);
    }
  }
  @media (max-width: 63.99rem) {
    .review aside {
      position: fixed;
      inset: 0;
      z-index: 5;
      border: 0;
    }
  }
  @media (max-width: 40rem) {
    .review-head {
      padding: var(--s1) var(--s4);
    }
    .review-body {
      padding: var(--s4);
    }
    .review .grades kbd,
    .review .tools kbd,
    .review .reveal kbd {
      display: none;
    }
    .grades .grade {
      padding-inline: 2px;
    }
  }
  @media (forced-colors: active) {
    .week rect,
    .legend i {
      fill: CanvasText;
      background: CanvasText;
    }
  }
  .below .was {
    display: grid;
    gap: 2px;
    min-inline-size: 0;
  }
`;
