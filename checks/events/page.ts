import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readCatalogue, type Stream } from "./catalogue.ts";

export const pageFile = fileURLToPath(new URL("../../docs/reports/events.md", import.meta.url));
const examplesFile = fileURLToPath(new URL("examples.json", import.meta.url));

/** One event of each type, as a run of the program wrote it (`npm run docs:events -- --examples`); without those it had no reason to write. */
export const readExamples = (): Record<string, unknown> => (existsSync(examplesFile) ? JSON.parse(readFileSync(examplesFile, "utf8")) : {});

/** `docs/reports/events.md`. */
export function eventsPage(streams: readonly Stream[], examples: Record<string, unknown>): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|");
  const lines = streams.flatMap(({ name, about, events }) => [
    `## \`${name}\``,
    "",
    about,
    ...events.flatMap((event) => [
      "",
      `### ${event.name}`,
      ...(event.about ? ["", event.about] : []),
      ...(event.fields.length > 0 ? ["", "| field | type | |", "|---|---|---|"] : []),
      ...event.fields.map(
        (field) => `| \`${field.name}\`${field.optional ? " (may be missing)" : ""} | \`${cell(field.type)}\` | ${cell(field.about)} |`,
      ),
      ...(examples[event.name] ? ["", "```json", JSON.stringify(examples[event.name], null, 2), "```"] : []),
    ]),
    "",
  ]);
  return `${[
    "# Events",
    "",
    "Written by `npm run docs:events` from the types in `schemas/events/`: every event type, by stream, with an example that a run of the program wrote (texts shortened). Data begins with `schemaVersion: 1`, which is left out of the tables. What every event carries beside its data (`accountId`, `requestId`, `correlationId`, `at`, `deviceId`, and `traceparent` where traces are kept) stands in `schemas/events/metadata.ts`.",
    "",
    ...lines,
  ].join("\n")}`;
}

if (import.meta.main) {
  if (process.argv.includes("--examples")) {
    const { harvest } = await import("./harvest.ts");
    writeFileSync(examplesFile, `${JSON.stringify(await harvest(), null, 2)}\n`);
  }
  writeFileSync(pageFile, eventsPage(readCatalogue(), readExamples()));
}
