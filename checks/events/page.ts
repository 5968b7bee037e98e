import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readCatalogue, type Stream } from "./catalogue.ts";

export const pageFile = fileURLToPath(new URL("../../docs/reports/events.md", import.meta.url));

/** The examples that the page holds, by event type. `npm run docs:events -- --examples` takes new ones from a run of the program. */
export function readExamples(): Record<string, unknown> {
  const sections = readFileSync(pageFile, "utf8").split(/^### /m).slice(1);
  const examples = sections.flatMap((section) => {
    const [, name = "", json] = /^(\w+)\n[\s\S]*?(?:```json\n([\s\S]*?)\n```|$(?![\s\S]))/.exec(section) ?? [];
    return json ? [[name, JSON.parse(json) as unknown]] : [];
  });
  return Object.fromEntries(examples);
}

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
    "Written by `npm run docs:events` from the registry in `schemas/events/`: every event type, by stream, with an example that a run of the program wrote (texts shortened). Data begins with `schemaVersion: 1`, which is left out of the tables. What every event carries beside its data (`accountId`, `requestId`, `correlationId`, `at`, `deviceId`, and `traceparent` where traces are kept) stands in `schemas/events/metadata.ts`.",
    "",
    ...lines,
  ].join("\n")}`;
}

if (import.meta.main) {
  const examples = process.argv.includes("--examples") ? await (await import("./harvest.ts")).harvest() : readExamples();
  writeFileSync(pageFile, eventsPage(readCatalogue(), examples));
}
