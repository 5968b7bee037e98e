import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Dependency, dependencies, exceptions } from "./licences.ts";

export const pageFile = fileURLToPath(new URL("../../docs/reports/licences.md", import.meta.url));

/** `docs/reports/licences.md`: what the program is made of, by licence. */
export function licencesPage(): string {
  const all = dependencies().filter(({ licence }) => licence !== "");
  const table = (some: readonly Dependency[]): string[] =>
    [...Map.groupBy(some, ({ licence }) => licence)]
      .toSorted(([one], [other]) => one.localeCompare(other, "en"))
      .map(
        ([licence, packages]) =>
          `| ${licence} | ${packages
            .map(({ name }) => name)
            .filter((name, index, names) => names.indexOf(name) === index)
            .join(", ")} |`,
      );
  const shipped = all.filter(({ development }) => !development);
  return `${[
    "# Licences",
    "",
    "Written by `npm run docs:licences` from the lock file and the compiled files that are installed: the packages Colloquy uses, by licence. `npm run --silent sbom` prints a CycloneDX bill of materials. A test fails for a package whose licence is neither permissive nor listed here.",
    "",
    ...Object.entries(exceptions).map(([name, why]) => `- **${name}**: ${why}.`),
    "",
    "## Needed to run it",
    "",
    "| licence | packages |",
    "|---|---|",
    ...table(shipped),
    "",
    "## Needed to build and test it",
    "",
    "| licence | packages |",
    "|---|---|",
    ...table(all.filter(({ development }) => development)),
  ].join("\n")}\n`;
}

if (import.meta.main) writeFileSync(pageFile, licencesPage());
