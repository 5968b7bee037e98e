import { z } from "zod";

/** Kinds of values that environment variables have. */

export const text = z.string().trim().min(1);
export const port = z.coerce.number("expected a port: a whole number from 0 to 65535").int().min(0).max(65_535);
export const dailyLimit = z.coerce.number("expected a whole number from 1").int().min(1).max(1_000_000_000).optional();
export const flag = z.enum(["on", "off"]);
/** Another service of the program. It is spoken to in plain HTTP: what encrypts between machines is the network's. */
export const serviceUrl = z.url({ protocol: /^http$/, error: "expected http://<host>:<port>" }).transform((value) => new URL(value).origin);
export const list = z.string().transform((value) =>
  value
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean),
);
/** `name=value,…` as OpenTelemetry writes headers. */
export const headerList = z.string().transform((value, context) => {
  const headers: Record<string, string> = {};
  for (const entry of value.split(",").filter((part) => part.trim() !== "")) {
    const [, name, encoded] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(\S*)\s*$/.exec(entry) ?? [];
    const said = encoded === undefined ? null : decoded(encoded);
    if (name === undefined || said === null) {
      context.issues.push({ code: "custom", input: "", message: "expected name=value, separated by commas, values percent-encoded" });
      return z.NEVER;
    }
    headers[name.toLowerCase()] = said;
  }
  return headers;
});

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export interface Variable<Type extends z.ZodType = z.ZodType> {
  schema: Type;
  /** What the page says of it. */
  about: string;
  /** Shown in the page where the schema's own default would mislead. */
  shownDefault?: string;
  secret?: boolean;
}
export const variable = <Type extends z.ZodType>(
  schema: Type,
  about: string,
  more: Omit<Variable, "schema" | "about"> = {},
): Variable<Type> => ({
  schema,
  about,
  ...more,
});
