import { readFileSync, writeFileSync } from "node:fs";
import type { z } from "zod";
import { variables } from "./variables.ts";

const page = new URL("../docs/reports/configuration.md", import.meta.url);

/** `docs/reports/configuration.md` as the table of variables has it. */
function configurationPage(): string {
  const rows = Object.entries(variables).map(([name, variable]) => {
    const parsed = (variable.schema as z.ZodType).safeParse(undefined);
    const fallback =
      "shownDefault" in variable && variable.shownDefault
        ? variable.shownDefault
        : parsed.success && parsed.data !== undefined
          ? `\`${String(parsed.data)}\``
          : "not set";
    return `| \`${name}\` | ${fallback} | ${variable.about}${"secret" in variable && variable.secret ? " Secret." : ""} |`;
  });
  return [
    "# Configuration",
    "",
    "Written by `npm run docs:configuration` from `infra/variables.ts`. Everything is set by environment variables; none is needed to try the product.",
    "",
    "| variable | default | meaning |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

if (import.meta.main) {
  if (process.argv.includes("--check")) {
    if (readFileSync(page, "utf8") !== configurationPage()) {
      console.error("docs/reports/configuration.md is not what infra/variables.ts says. Run: npm run docs:configuration");
      process.exit(1);
    }
  } else writeFileSync(page, configurationPage());
}
