import { bounds } from "@colloquy/schemas/bounds.ts";
import { type Document, parseDocument, visit } from "yaml";

/**
 * What a document of YAML holds. Maps as keys of maps cost the fourth power of their depth, so what is nested deeper than any course is refused.
 * @throws {Error} saying why, also for an alias (`*name`) of nothing.
 */
export function yamlValue(document: Document): unknown {
  visit(document, {
    Collection: (_key, _node, path) => {
      // Between two collections of a map stands a pair.
      if (path.length > 2 * bounds.json.depth) throw new Error(`It is nested more than ${bounds.json.depth} deep`);
    },
  });
  return document.toJS();
}

/** @throws {Error} saying why a text is no YAML, or none that is read. */
export function parseYaml(text: string): unknown {
  const document = parseDocument(text, { logLevel: "error" });
  const [error] = document.errors;
  if (error) throw error;
  return yamlValue(document);
}
