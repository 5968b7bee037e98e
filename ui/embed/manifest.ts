import type { Described, ElementDeclaration, Manifest, Typed } from "@colloquy/schemas/embed/elements-manifest.ts";

const comment = /\/\*\*((?:(?!\*\/)[\s\S])*?@tag[\s\S]*?)\*\/\s*export class (\w+)/g;

/**
 * The custom-elements manifest, parsed from the doc comments of `elements.ts` with the tags of common analyzers. @throws for a line that
 * cannot be parsed, so that no documentation is lost.
 */
export function manifestOf(source: string, path = "embed.js"): Manifest {
  const declarations = [...source.matchAll(comment)].map(([, text = "", name = ""]) => declarationOf(text, name));
  return {
    schemaVersion: "1.0.0",
    modules: [
      {
        kind: "javascript-module",
        path,
        declarations,
        exports: declarations.map(({ tagName, name }) => ({
          kind: "custom-element-definition",
          name: tagName,
          declaration: { name, module: path },
        })),
      },
    ],
  };
}

function declarationOf(text: string, name: string): ElementDeclaration {
  const made: ElementDeclaration = {
    kind: "class",
    customElement: true,
    name,
    tagName: "",
    summary: "",
    attributes: [],
    members: [],
    events: [],
    slots: [],
    cssParts: [],
    cssProperties: [],
  };
  for (const line of text.split("\n").map((raw) => raw.replace(/^\s*\*\s?/, "").trim())) if (line) applyTag(made, line);
  return made;
}

function applyTag(made: ElementDeclaration, line: string): void {
  const [, tag, rest = ""] = /^@(\w+)\s+(.*)$/.exec(line) ?? [];
  if (tag === "summary") made.summary = rest;
  else if (tag === "tag") made.tagName = rest;
  else if (tag === "attr") made.attributes.push(typed(rest));
  else if (tag === "prop") made.members.push({ kind: "field", ...typed(rest) });
  else if (tag === "fires") made.events.push(typed(rest));
  else if (tag === "slot") made.slots.push(described(rest.replace(/^-/, "default -")));
  else if (tag === "csspart") made.cssParts.push(described(rest));
  else if (tag === "cssprop") made.cssProperties.push(cssProperty(rest));
  else if (tag === "method") made.members.push(method(rest));
  else throw new Error(`the elements' description has a line that says nothing known: ${line}`);
}

function described(text: string): Described {
  const [, name = "", description = ""] = /^(\S+)\s+-\s+(.+)$/.exec(text) ?? [];
  if (!name) throw new Error(`expected "name - words": ${text}`);
  return { name: name === "default" ? "" : name, description };
}

function typed(text: string): Typed {
  const [, type = "", rest = ""] = /^\{(.+)\}\s+(\S+\s+-\s+.+)$/.exec(text) ?? [];
  return { ...described(rest || text), type: { text: type } };
}

function cssProperty(text: string): ElementDeclaration["cssProperties"][number] {
  const [, name = "", given, description = ""] = /^\[(--[\w-]+)(?:=([^\]]+))?\]\s+-\s+(.+)$/.exec(text) ?? [];
  if (!name) throw new Error(`expected "[--name=default] - words": ${text}`);
  return { name, description, ...(given && { default: given }) };
}

function method(text: string): ElementDeclaration["members"][number] {
  const [, name = "", given = "", type = "", description = ""] = /^(\w+)\(([^)]*)\):\s*(\S+)\s+-\s+(.+)$/.exec(text) ?? [];
  if (!name) throw new Error(`expected "name(parameter: type): type - words": ${text}`);
  const parameters = [...given.matchAll(/(\w+):\s*([^,]+)/g)].map(([, parameter = "", of = ""]) => ({
    name: parameter,
    type: { text: of.trim() },
  }));
  return { kind: "method", name, description, parameters, return: { type: { text: type } } };
}
