const heading = /^## /m;
const nameOf = (section: string): string => /`npm run bench -- ([\w-]+)`/.exec(section)?.[1] ?? "";

/** docs/benchmarks.md with new sections (by benchmark) in the place of their former selves; all others stay as they are. */
export function withSections(page: string, fresh: ReadonlyMap<string, string>, machine: string): string {
  const [, ...former] = page.split(heading).map((text) => `## ${text.trimEnd()}\n`);
  const sections = former.filter((section) => !fresh.has(nameOf(section)));
  const all = [...sections, ...[...fresh.values()].map((section) => `${section.trimEnd()}\n`)];
  const head = `Written by \`npm run bench -- [name…] --write\`, last on ${machine}. Each figure stands beside a baseline of the same run; compare ratios, the machine is a shared one.`;
  return ["# Benchmarks", head, ...all.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)))]
    .map((part) => part.trimEnd())
    .join("\n\n")
    .concat("\n");
}
