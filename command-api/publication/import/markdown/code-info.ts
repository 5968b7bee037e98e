import { bounds } from "@colloquy/schemas/bounds.ts";
import type { BlockData } from "@colloquy/schemas/courses/blocks.ts";
import { readAttributes } from "./attributes.ts";

type Role = BlockData["core.code"]["role"];

const roles: Record<string, Role> = { output: "output", error: "error", warning: "error" };
/** Fence names that say what a text is for, not which language it is in. */
const notLanguages = new Set(["source", "output", "error", "warning", "text", "txt", "plain", "none"]);

/** What a fence's info string says: ` ```python `, ` ```{.bash .output} `, ` ```{r plot, echo=FALSE} `, ` ```rust,editable `, ` ```js title="a.js" `. */
export function readCodeInfo(info: string): { language: string; role: Role; id?: string; title?: string } {
  const text = info.trim();
  const attributes = text.includes("{") ? readAttributes(text, text.indexOf("{"))?.attributes : undefined;
  const chunk = /^\{\s*([A-Za-z][\w+#-]*)/.exec(text)?.[1];
  const first = /^[^\s,{]+/.exec(text)?.[0];
  const names = [first, chunk, ...(attributes?.classes ?? [])]
    .filter((name) => name !== undefined)
    .map((name) => name.toLowerCase().replace(/^language-/, ""));
  const title = /(?:^|[\s{,])(?:title|filename|caption)=(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/
    .exec(text)
    ?.slice(1)
    .find(Boolean)
    ?.replaceAll(/\\(.)/g, "$1")
    .trim();
  const role = names.map((name) => roles[name]).find((found) => found !== undefined) ?? "input";
  const language = names.find((name) => !notLanguages.has(name) && name !== "numberlines") ?? "text";
  return {
    language: /^[a-z0-9][a-z0-9+#._-]{0,39}$/.test(language) ? language : "text",
    role,
    ...(attributes?.id && { id: attributes.id }),
    ...(title && { title: title.slice(0, bounds.course.titleLength) }),
  };
}
