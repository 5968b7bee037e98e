/** Reads an object's list while the object is still being written; see `objectReader`. */
export interface ObjectReader {
  /** The entries of the list that are complete now, given this next stretch of the text. */
  push(text: string): unknown[];
  /** A text field of the object itself, once it is complete. */
  field(name: string): string | undefined;
}

/**
 * Follows a model's JSON, wherever in its answer it begins, for the objects in one list of the outermost object. It only finds where they
 * begin and end; whether they are any good is for their schema to say. What is no JSON gives nothing.
 */
export function objectReader(list: string): ObjectReader {
  let depth = 0;
  let inString = false;
  let escaped = false;
  /** The string or the entry that is being read. */
  let taken = "";
  let entry = false;
  /** Of the outermost object: the key whose value comes next, and whether its list is being read. */
  let key: string | null = null;
  let lastString = "";
  let inList = false;
  const fields = new Map<string, string>();

  /** A string of the outermost object has ended: a key's value, or a key. */
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
