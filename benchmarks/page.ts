const heading = /^## /m;

/** A page of figures: its title, what stands below it, and the command whose name stands in each section (`npm run bench -- <name>`). */
export interface FiguresPage {
  title: string;
  head: string;
  command: string;
}

export const benchmarksPage = (machine: string): FiguresPage => ({
  title: "Benchmarks",
  head: `Written by \`npm run bench -- [name…] --write\`, last on ${machine}. Each figure has a baseline from the same run. Compare ratios: the machine is shared.`,
  command: "npm run bench --",
});

/** A page with new sections (by the name their command has) in the place of their former selves; all others stay as they are. */
export function withSections(page: string, fresh: ReadonlyMap<string, string>, { title, head, command }: FiguresPage): string {
  const named = new RegExp(`\`${command} ([\\w-]+)`);
  const nameOf = (section: string): string => named.exec(section)?.[1] ?? "";
  const [, ...former] = page.split(heading).map((text) => `## ${text.trimEnd()}\n`);
  const sections = former.filter((section) => !fresh.has(nameOf(section)));
  const all = [...sections, ...[...fresh.values()].map((section) => `${section.trimEnd()}\n`)];
  return [`# ${title}`, head, ...all.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)))]
    .map((part) => part.trimEnd())
    .join("\n\n")
    .concat("\n");
}
