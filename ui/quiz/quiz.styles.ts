import { css } from "lit";

export const quizStyles = css`
  colloquy-quiz { display: block; max-inline-size: var(--measure); color: var(--ink); }
  colloquy-quiz h3 { margin: 0 0 6px; font: 650 var(--text-xl)/1.3 var(--font-read); overflow-wrap: break-word; }
  colloquy-quiz .rule { margin: 0; font: var(--text-s)/1.5 var(--font-ui); color: var(--ink-soft); }
  colloquy-quiz .standing { margin: 0; font: 600 var(--text-m)/1.5 var(--font-ui); }
  colloquy-quiz .questions { list-style: none; margin: var(--s5) 0 0; padding: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s6); }
  colloquy-quiz .questions > li { min-inline-size: 0; animation: colloquy-question var(--calm) var(--ease); }
  @keyframes colloquy-question { from { opacity: 0; } }
  @media (prefers-reduced-motion: reduce) { colloquy-quiz .questions > li { animation: none; } }
  colloquy-quiz .foot { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2) var(--s4); margin: var(--s6) 0 0; font: var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
  colloquy-quiz .result { margin-block-start: var(--s6); padding-block-start: var(--s4); border-block-start: 1px solid var(--line-strong); }
  colloquy-quiz .result .foot { margin-block-start: var(--s4); }
  colloquy-quiz .result:focus { outline: none; }
  colloquy-quiz .score { margin: 0; font: 450 var(--text-xl)/1.3 var(--font-read); }
  colloquy-quiz .score b { font: 650 var(--text-2xl)/1.2 var(--font-read); font-variant-numeric: lining-nums; }
  colloquy-quiz .tries { margin: var(--s1) 0 0; font: var(--text-m)/1.5 var(--font-ui); color: var(--ink-soft); }
  colloquy-quiz .foot > button { min-block-size: 38px; padding: 6px 18px; border: 1px solid var(--line-strong); border-radius: var(--r-m); background: var(--raised); color: var(--ink); font: 600 var(--text-s)/1.4 var(--font-ui); cursor: pointer; }
  colloquy-quiz .foot > button:hover:not(:disabled) { border-color: var(--accent); }
  colloquy-quiz .foot > button.primary { border-color: var(--accent); background: var(--accent); color: var(--accent-ink); }
  colloquy-quiz .foot > button:disabled { opacity: .5; cursor: default; }
  colloquy-quiz .elsewhere { flex-basis: 100%; margin: 0; padding-inline-start: 12px; border-inline-start: 2px solid var(--line-strong); }
  colloquy-quiz .elsewhere .word { min-block-size: 30px; font: inherit; color: var(--accent); text-decoration: underline; text-underline-offset: 3px; background: none; border: 0; padding: 0; cursor: pointer; }
  colloquy-quiz button:focus-visible, colloquy-quiz .result:focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
  @media (pointer: coarse) { colloquy-quiz .foot > button { min-block-size: 44px; } colloquy-quiz .elsewhere .word { min-block-size: 44px; } }
  @media (forced-colors: active) {
    colloquy-quiz .foot > button.primary { border-width: 2px; }
    colloquy-quiz .foot > button:disabled { opacity: 1; color: GrayText; }
  }
  @media (max-width: 480px) { colloquy-quiz .foot > button { flex: 1 1 auto; justify-content: center; text-align: center; } }
`;
