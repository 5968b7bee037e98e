/** The part of JSON Schema that describes our payloads. */
export interface Described {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Described[];
  oneOf?: Described[];
  allOf?: Described[];
  properties?: Record<string, Described>;
  required?: string[];
  additionalProperties?: Described | boolean;
  items?: Described;
  prefixItems?: Described[];
  description?: string;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}

const pad = (depth: number): string => "  ".repeat(depth);
/** Deeper types are abbreviated. */
const deepest = 12;

/** A schema as a TypeScript type; its bounds follow in a comment. */
export function typeText(schema: Described, depth = 0): string {
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? "unknown";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return [...new Set(either.map((one) => typeText(one, depth)))].join(" | ");
  if (schema.allOf) return schema.allOf.map((one) => typeText(one, depth)).join(" & ");
  if (depth > deepest) return "…";
  switch (schema.type) {
    case "object":
      return objectText(schema, depth);
    case "array":
      return listText(schema, depth);
    case "integer":
    case "number":
      return "number";
    case undefined:
      return "unknown";
    default:
      return [schema.type].flat().join(" | ");
  }
}

function objectText({ properties = {}, required = [], additionalProperties }: Described, depth: number): string {
  const fields = Object.entries(properties).map(([name, field]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const remark = boundsText(field);
    return `${pad(depth + 1)}${key}${required.includes(name) ? "" : "?"}: ${typeText(field, depth + 1)};${remark && ` // ${remark}`}`;
  });
  if (typeof additionalProperties === "object")
    fields.push(`${pad(depth + 1)}[name: string]: ${typeText(additionalProperties, depth + 1)};`);
  return fields.length > 0 ? `{\n${fields.join("\n")}\n${pad(depth)}}` : "{}";
}

function listText({ items, prefixItems }: Described, depth: number): string {
  if (prefixItems) return `[${prefixItems.map((item) => typeText(item, depth)).join(", ")}]`;
  const item = items ? typeText(items, depth) : "unknown";
  return / [|&] /.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
}

/** The bounds of a value, beyond its type. */
export function boundsText({ type, format, pattern, minLength, maxLength, minItems, maxItems, minimum, maximum }: Described): string {
  const range = (least: number | undefined, most: number | undefined, what: string): string | null => {
    const huge = most === undefined || most >= Number.MAX_SAFE_INTEGER;
    if (least === undefined || least <= Number.MIN_SAFE_INTEGER) return huge ? null : `at most ${most}${what}`;
    return huge ? (least > 0 || what === "" ? `at least ${least}${what}` : null) : `${least} to ${most}${what}`;
  };
  return [
    type === "integer" && "whole",
    range(minimum, maximum, ""),
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, " entries"),
    format ?? (pattern !== undefined && `like ${pattern}`),
  ]
    .filter(Boolean)
    .join(", ");
}
