import { catalogues } from "@colloquy/ui/messages/server.ts";
import { messagesOf, parsed, sources } from "./messages.ts";

/** Prints every message without a translation, as the lines of a catalogue, by folder: where a translator begins. */
for (const language of ["de", "ar"] as const) {
  const seen = new Set<string>();
  let folder = "";
  for (const file of sources(["ui", "query-api", "schemas/courses"]))
    for (const { text, one } of messagesOf(parsed(file)).messages) {
      if (seen.has(text) || Object.hasOwn(catalogues[language], text)) continue;
      seen.add(text);
      const here = file.split("/").slice(0, 2).join("/");
      if (here !== folder) console.log(`// ${language} ${here}`);
      folder = here;
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.map((form) => `${form}: ""`);
      console.log(`${JSON.stringify(text)}: ${one === undefined ? '""' : `{ ${forms.join(", ")} }`},`);
    }
}
