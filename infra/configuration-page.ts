import { readFileSync, writeFileSync } from "node:fs";
import type { z } from "zod";
import { variables } from "./variables.ts";

const page = new URL("../docs/configuration.md", import.meta.url);

/** `docs/configuration.md` as the table of variables has it. */
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
    "Everything is set by environment variables; nothing needs to be set to try the product. This page is generated from `infra/variables.ts` (`npm run docs:configuration`).",
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
      console.error("docs/configuration.md is not what infra/variables.ts says. Run: npm run docs:configuration");
      process.exit(1);
    }
  } else writeFileSync(page, configurationPage());
}
