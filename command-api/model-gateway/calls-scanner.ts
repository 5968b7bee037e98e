/** Finds the end of tool calls written as JSON; see `callsScanner`. */
export interface CallsScanner {
  /** Takes in what comes next: how much of it belongs to the calls, and whether they end there. */
  scan(text: string): { end: number; ended: boolean };
}

/** Reads over a list of calls, an object, or a tool's name and its arguments, in pieces of any size. */
export function callsScanner(): CallsScanner {
  let depth = 0;
  let named = false;
  let inString = false;
  let escaped = false;
  return {
    scan(text) {
      for (let at = 0; at < text.length; at += 1) {
        const character = text.charAt(at);
        if (escaped) escaped = false;
        else if (inString) {
          if (character === "\\") escaped = true;
          else if (character === '"') inString = false;
        } else if (character === "{" || (character === "[" && !named)) depth += 1;
        else if (depth > 0 && character === "[") depth += 1;
        else if (depth > 0 && character === '"') inString = true;
        else if (depth > 0 && (character === "}" || character === "]")) {
          depth -= 1;
          if (depth === 0) return { end: at + 1, ended: true };
        } else if (depth === 0 && /\S/.test(character)) named = true;
      }
      return { end: text.length, ended: false };
    },
  };
}
