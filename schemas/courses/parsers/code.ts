import type { BlockData, ParseResult } from "../blocks.ts";
import { remark } from "../remarks.ts";
import { oneOf, optionalField, present, quoted, readFence, readSource, writeFence, writeSource } from "./source.ts";

const roles = ["input", "output", "error"] as const;
const languageName = /^[A-Za-z0-9][A-Za-z0-9+#._-]{0,39}$/;

/** `core.code`: header `language`, `role` (input when absent), `title`; then the code, fenced (the fence may name the language) or bare. */
export function parseCode(text: string): ParseResult<"core.code"> {
  const source = readSource(text, ["language", "role", "title"]);
  const { errors } = source;
  const role = oneOf(source, "role", roles, "input");
  const fence = readFence(source.body, source.bodyLine);
  if (fence.kind === "broken") return { ok: false, errors: [...errors, ...fence.errors] };
  const named = source.fields.get("language");
  const info = fence.kind === "fenced" ? fence.info : "";
  if (named?.value && info && named.value !== info)
    errors.push({ line: named.line, ...remark("code-languages", { header: quoted(named.value), fence: quoted(info) }) });
  const language = named?.value || info || "text";
  if (!languageName.test(language))
    errors.push({ line: named?.line ?? source.bodyLine, ...remark("code-language", { one: "`python`", other: "`c++`" }) });
  if (!fence.code.trim() && errors.length === 0) errors.push({ line: source.bodyLine, ...remark("code-empty") });
  if (errors.length) return { ok: false, errors };
  return { ok: true, data: { language, role, ...present("title", optionalField(source, "title")), code: fence.code } };
}

export function formatCode({ language, role, title, code }: BlockData["core.code"]): string {
  return writeSource({ role: role === "input" ? undefined : role, title }, writeFence(code, language));
}
