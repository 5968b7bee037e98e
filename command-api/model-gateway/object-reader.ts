/** Reads the list of a JSON object while it streams; see `objectReader`. */
export interface ObjectReader {
  /** Adds a chunk; returns the entries that it completes. */
  push(text: string): unknown[];
  /** A complete string field of the object. */
  field(name: string): string | undefined;
}

/**
 * Finds the objects in one list of the outermost JSON object of an answer, without validating them. Ignores text before the JSON; malformed
 * JSON gives no entries.
 */
export function objectReader(list: string): ObjectReader {
  let depth = 0;
  let inString = false;
  let escaped = false;
  /** The string or entry so far. */
  let taken = "";
  let entry = false;
  /** In the outermost object: the key of the next value, and whether the list is being read. */
  let key: string | null = null;
  let lastString = "";
  let inList = false;
  const fields = new Map<string, string>();

  /** After a string of the outermost object, a value or a key. */
  const stringEnded = (): void => {
    lastString = parsed(taken) as string;
    if (key !== null) {
      fields.set(key, lastString);
      key = null;
    }
  };

  return {
    field: (name) => fields.get(name),
    push(text) {
      const entries: unknown[] = [];
      for (const character of text) {
        if (entry || (inString && depth === 1)) taken += character;
        if (inString) {
          if (escaped) escaped = false;
          else if (character === "\\") escaped = true;
          else if (character === '"') {
            inString = false;
            if (depth === 1) stringEnded();
          }
          continue;
        }
        if (depth === 0 && character !== "{") continue;
        if (character === '"') {
          inString = true;
          if (depth === 1) taken = '"';
        } else if (character === "{" || character === "[") {
          depth += 1;
          if (depth === 2) inList = character === "[" && key === list;
          if (depth === 3 && inList && character === "{") {
            entry = true;
            taken = "{";
          }
        } else if (character === "}" || character === "]") {
          depth -= 1;
          if (depth === 2 && entry) {
            entry = false;
            const value = parsed(taken);
            if (value !== undefined) entries.push(value);
          }
          if (depth === 1) {
            inList = false;
            key = null;
          }
        } else if (depth === 1 && character === ":") key = lastString;
        else if (depth === 1 && character === ",") key = null;
      }
      return entries;
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
