/**
 * Plain words of a course as Markdown that shows exactly those words: what looks like code becomes code, signs that
 * would mean something to Markdown are escaped, formulas stay. Text that has code marks already is Markdown and stays.
 */
export function markdownOf(text: string): string {
  return marked(text, escaped);
}

/** Only what looks like code is marked; nothing is escaped. For texts that may be shown as they are. */
export function codeMarked(text: string): string {
  return marked(text, (part) => part);
}

type Guard = (text: string) => string;

function marked(text: string, guard: Guard): string {
  if (text.includes("`")) return text;
  return text
    .split(/(\$\$[^$]+\$\$|\$(?=\S)[^$\n]{1,300}?\$(?![\w(])|\\\([^\n]{1,300}?\\\))/)
    .map((part, index) => (index % 2 && isFormula(part) ? part : words(part, guard)))
    .join("");
}

/** Whether what stands between dollars reads as a formula and not as two variables of a shell. */
function isFormula(part: string): boolean {
  const inner = part.replace(/^\$+|\$+$/g, "");
  if (part.startsWith("\\(") || part.startsWith("$$")) return true;
  if (/\s$/.test(inner)) return false;
  // A tuple, an interval, an absolute value: letters stand alone in it.
  if (/^[([|].*[)\]|]$/.test(inner) && !/\p{L}{2}/u.test(inner)) return true;
  return /[\\^_={}+<>]/.test(inner) || /^-?(?:\d+(?:[.,]\d+)?|[\p{L}])(?:[,\s]?[\p{L}\d()|-])*$/u.test(inner.replace(/\s+/g, " "))
    ? !/\p{L}{4}\s+\p{L}{2}/u.test(inner.replace(/\\[a-z]+/g, ""))
    : false;
}

function words(part: string, guard: Guard): string {
  const tokens = part.split(/(\s+)/);
  const written: string[] = [];
  for (const token of tokens) {
    const found = /^(["'“‘(]*)(.*?)([.,;:!?"'”’)]*)$/s.exec(token);
    if (!found) {
      written.push(token);
      continue;
    }
    const [, before = "", core = "", after = ""] = found;
    const command = written.at(-2) ?? "";
    if (/^--?\w/.test(core) && !before && written.at(-1) === " " && isCommand(command)) {
      // A flag belongs to the command before it: `rm -r`.
      written.splice(-2, 2, `\`${command.replaceAll("`", "")} ${core}\`${guard(after)}`);
    } else written.push(`${guard(before)}${looksLikeCode(core) ? `\`${core}\`` : guard(core)}${guard(after)}`);
  }
  return written.join("");
}

const isCommand = (word: string): boolean => /^`[^`]+`$/.test(word) || (/^[a-z][a-z0-9]{1,7}$/.test(word) && !notCommand.test(word));
const notCommand =
  /^(?:the|an|its|and|or|of|to|with|by|using|use|uses|add|adding|option|options|flag|flags|called|both|either|as|like|from|in|on|for|this|that|is|are|also|then|if|single|short|long|put|type|without|try|via)$/;

function looksLikeCode(core: string): boolean {
  return (
    /^--?[A-Za-z][\w-]*$/.test(core) ||
    /^\$(?:\d|[A-Za-z_]\w*|[@#*?]|\{\w+\})$/.test(core) ||
    /^(?:>{1,2}|\||<|\.\.|~|&&|\|\||\*)$/.test(core) ||
    (/^[\w.~*?$-]*(?:\/[\w.~*?$-]*)+$/.test(core) && !/^[\p{L}]+\/[\p{L}]+$/u.test(core)) ||
    /^[\w*?[\]-]+\.(?:txt|sh|pdb|csv|py|md|lean|html|dat|json|js|ts|c|h|log|svg|png)$/i.test(core) ||
    /^[\w.?[\]-]*\*[\w.*?[\]-]*$/.test(core) ||
    /^[A-Z]\w*\.[A-Za-z]\w*$/.test(core)
  );
}

/** A closing bracket stays as it is: without its opener it means nothing, and `\[…\]` would be a formula. */
const escaped = (text: string): string =>
  text.replace(/[\\*_<>[~$]/g, (sign, at: number) =>
    sign === "_" && at > 0 && /\w/.test(text[at - 1] ?? "") && /\w/.test(text[at + 1] ?? "") ? sign : `\\${sign}`,
  );

/** Whether plain words hold something that is code: a flag, a path, a variable, a sign that stands alone. */
export function holdsCode(text: string): boolean {
  return text.includes("`") || text.split(/\s+/).some((token) => looksLikeCode(token.replace(/^["'“‘(]+|[.,;:!?"'”’)]+$/g, "")));
}
