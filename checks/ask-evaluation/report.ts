import type { Outcome } from "./measure.ts";
import { questionKinds, questionSets } from "./questions.ts";

/** The figures by kind and set, as lines of a table. */
export function tableOf(outcomes: readonly Outcome[]): string[] {
  const lines = [row(["kind", "set", "questions", "share", "any", "precision", "tokens", "most", "recall@10", "nDCG@10"])];
  for (const set of questionSets)
    for (const kind of [...questionKinds, "all"]) {
      const of = outcomes.filter(({ question }) => question.set === set && (kind === "all" || question.kind === kind));
      if (of.length === 0) continue;
      const ranked = of.flatMap(({ ranking }) => ranking ?? []);
      const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
      const share = (values: number[]): string => (values.length > 0 ? mean(values).toFixed(3) : "");
      lines.push(
        row([
          kind,
          set,
          String(of.length),
          share(of.map((outcome) => outcome.share)),
          share(of.map((outcome) => Number(outcome.share > 0))),
          share(of.map((outcome) => outcome.precision)),
          String(Math.round(mean(of.map(({ tokens }) => tokens)))),
          String(Math.max(...of.map(({ tokens }) => tokens))),
          share(ranked.map(({ recall }) => recall)),
          share(ranked.map(({ ndcg }) => ndcg)),
        ]),
      );
    }
  return lines;
}

const widths = [19, 9, 9, 6, 6, 9, 7, 7, 9, 8];
const row = (cells: string[]): string =>
  cells.map((cell, at) => (at < 2 ? cell.padEnd : cell.padStart).call(cell, widths[at] ?? 0)).join("  ");
