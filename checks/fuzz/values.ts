import fc from "fast-check";

/** The part of JSON Schema that our payloads' schemas are made of. */
export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

/** What a field of this name may hold beside what its schema says, such as the id of something there is. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

/** Deeper than this a schema that holds itself is only what it must be. */
const deepest = 6;
const longestList = 5;
const longestText = 400;

/** Text with the edges of Unicode among its letters: unpaired halves, what turns the direction, what stacks and what nobody sees. */
export const unicodeEdgeCases: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom(
    "",
    " ",
    "\u0000",
    "\ud800",
    "\udfff\ud800",
    "\u202e\u2066evil\u2069",
    "\ufeff",
    "e\u0301".repeat(50),
    `a${"\u0300".repeat(300)}`,
  ),
  fc.constantFrom(
    "\u200b\u2060",
    "👩‍👩‍👧‍👦".repeat(20),
    "ﷺ".repeat(40),
    "../../etc/passwd",
    "<script>alert(1)</script>",
    `$${"{7*7}"}{{7*7}}`,
    "' OR 1=1 --",
    "__proto__",
  ),
);

/** Values a schema takes, nearly always: where JSON Schema says less than our own rules do, some are refused all the same. */
export function valuesOf(schema: JsonSchema, known: KnownValues = {}, definitions = schema.$defs ?? {}, depth = 0): fc.Arbitrary<unknown> {
  const of = (inner: JsonSchema): fc.Arbitrary<unknown> => valuesOf(inner, known, definitions, depth + 1);
  if (schema.$ref !== undefined) {
    const target = schema.$ref === "#" ? schema : definitions[schema.$ref.replace("#/$defs/", "")];
    return target ? of(target) : fc.constant(null);
  }
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return fc.oneof(...(depth > deepest ? either.slice(0, 1) : either).map(of));
  if (schema.allOf) return fc.tuple(...schema.allOf.map(of)).map((parts) => Object.assign({}, ...parts));
  switch (schema.type) {
    case "object":
      return objects(schema, known, of, depth);
    case "array":
      return arrays(schema, of, depth);
    case "string":
      return texts(schema);
    case "integer":
    case "number":
      return numbers(schema);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

type Of = (inner: JsonSchema) => fc.Arbitrary<unknown>;

function objects(
  { properties = {}, required = [], additionalProperties, propertyNames }: JsonSchema,
  known: KnownValues,
  of: Of,
  depth: number,
) {
  const names = Object.keys(properties).filter((name) => depth <= deepest || required.includes(name));
  const fields = Object.fromEntries(
    names.map((name) => {
      const made = of(properties[name] as JsonSchema);
      const there = known[name];
      return [name, there?.length ? fc.oneof({ arbitrary: fc.constantFrom(...there), weight: 2 }, { arbitrary: made, weight: 1 }) : made];
    }),
  );
  const requiredKeys = required.filter((name) => name in fields);
  const record = fc.record(fields, { requiredKeys });
  if (typeof additionalProperties !== "object") return record;
  const keys = (propertyNames ? of(propertyNames) : fc.string({ minLength: 1, maxLength: 12 })) as fc.Arbitrary<string>;
  const more = fc.dictionary(keys, of(additionalProperties), { maxKeys: depth > deepest ? 0 : 3 });
  return fc.tuple(record, more).map(([own, others]) => ({ ...others, ...own }));
}

function arrays({ items, prefixItems, minItems = 0, maxItems = longestList }: JsonSchema, of: Of, depth: number): fc.Arbitrary<unknown> {
  if (prefixItems) return fc.tuple(...prefixItems.map(of));
  const maxLength = Math.max(minItems, Math.min(maxItems, depth > deepest ? 0 : longestList));
  return fc.array(items ? of(items) : fc.jsonValue({ maxDepth: 1 }), { minLength: minItems, maxLength });
}

function texts({ pattern, format, minLength = 0, maxLength = longestText }: JsonSchema): fc.Arbitrary<string> {
  if (format === "uuid") return fc.uuid();
  if (format === "date-time")
    return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString());
  if (pattern !== undefined) {
    const made = matching(pattern);
    if (made) return made;
  }
  const most = Math.max(minLength, Math.min(maxLength, longestText));
  return fc.oneof(fc.lorem({ maxCount: 8 }), unicodeEdgeCases).map((text) => text.padEnd(minLength, "x").slice(0, most));
}

/** Null where the pattern uses what the generator cannot do, such as looking ahead. */
function matching(pattern: string): fc.Arbitrary<string> | null {
  try {
    return fc.stringMatching(new RegExp(pattern), { size: "small" });
  } catch {
    return null;
  }
}

function numbers({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): fc.Arbitrary<number> {
  const whole = type === "integer";
  const least = minimum ?? (exclusiveMinimum !== undefined ? exclusiveMinimum + (whole ? 1 : 1e-6) : whole ? -1_000 : -1e6);
  const most = Math.max(
    least,
    maximum ?? (exclusiveMaximum !== undefined ? exclusiveMaximum - (whole ? 1 : 1e-6) : Math.max(least, 0) + 1e6),
  );
  return whole
    ? fc.integer({ min: Math.max(least, Number.MIN_SAFE_INTEGER), max: Math.min(most, Number.MAX_SAFE_INTEGER) })
    : fc.double({ min: least, max: most, noNaN: true });
}
