import type { z } from "zod";

const names: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "several fields",
  record: "several fields",
  null: "nothing",
  date: "a date",
};
const forms: Readonly<Record<string, string>> = {
  datetime: "a date with a time, such as 2026-01-31T12:00:00Z",
  date: "a date, such as 2026-01-31",
  url: "an address, such as https://example.org/",
  email: "an email address",
  uuid: "a UUID",
};

const nameOf = (kind: string): string => names[kind] ?? kind;

function kindOf(value: unknown): string {
  if (value === null) return nameOf("null");
  return nameOf(Array.isArray(value) ? "array" : typeof value);
}

/** What a limit counts, and how much of it there is. */
function sized(limit: string, bound: unknown, origin: string, input: unknown): string {
  if (typeof input === "string") return `${limit} ${bound} characters, this has ${input.length}`;
  if (Array.isArray(input)) return `${limit} ${bound} of them, there are ${input.length}`;
  return origin === "string" ? `${limit} ${bound} characters` : `${limit} ${bound}`;
}

/**
 * What a schema finds wrong, in plain words for people; a schema's own messages stay as they are. Pass it to a parse:
 * `schema.safeParse(value, { error: issueWords })`.
 */
export const issueWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "this is missing" : `expected ${nameOf(issue.expected)}, found ${kindOf(issue.input)}`;
    case "too_big":
      return sized("at most", issue.maximum, issue.origin, issue.input);
    case "too_small":
      return issue.minimum === 1 && (issue.input === "" || (Array.isArray(issue.input) && issue.input.length === 0))
        ? "this must not be empty"
        : sized("at least", issue.minimum, issue.origin, issue.input);
    case "invalid_format":
      return forms[issue.format] ? `expected ${forms[issue.format]}` : "this does not have the form that is expected here";
    case "invalid_value":
      return `expected ${issue.values.length > 1 ? "one of: " : ""}${issue.values.map(String).join(", ")}`;
    case "not_multiple_of":
      return `expected a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `${issue.keys.length > 1 ? "these fields are" : "this field is"} not known: ${issue.keys.join(", ")}`;
    case "invalid_union":
      return issue.input === undefined ? "this is missing" : "this is none of the forms that are possible here";
    default:
      return "this is not what is expected here";
  }
};
