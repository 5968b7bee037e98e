/** A note with its words behind a colon, at one of the places there are. */
function note(line: string, place: string): string {
  const [, indent = "", where = "", names = "", words = ""] =
    /^(\s*)note\s+(for|over|right\s+of|left\s+of)\s+([\w, ]*\w)\s*(?::\s*|(?=["']))(.+)$/i.exec(line) ?? [];
  if (!words) return line;
  const bare = /^(["'])(.*)\1$/.exec(words.trim())?.[2] ?? words.trim();
  const at = where.toLowerCase() === "for" || (place !== "over" && where.toLowerCase() === "over") ? place : where.toLowerCase();
  return `${indent}note ${at} ${names} : ${bare}`;
}

/** A line of a sequence diagram: a semicolon would end its message, a message has a colon, notes stand over or beside. */
export function sequenceLine(line: string): string {
  if (/^\s*note\b/i.test(line)) return note(line, "over");
  return line
    .replace(/\s*(?:→|⟶|➔|–>|—>)\s*/g, "->>")
    .replace(/^(\s*[\w. ]+?\s*(?:--?>>?|--?[x)])\s*[+-]?\s*[\w. ]*\w)\s*$/, "$1: #8203;")
    .replace(
      /^(\s*\S.*?:)(.*;.*)$/,
      (_, head: string, words: string) => head + words.replace(/(?<!#\w{1,8});(?=.)/g, "#59;").replace(/(?<!#\w{1,8});\s*$/, ""),
    );
}

/** A line of a state diagram: two dashes in an arrow, its label behind a colon, no dashes in names. */
export function stateLine(line: string): string {
  if (/^\s*note\b/i.test(line)) return note(line, "right of");
  const [, way = line, label = ""] = /^([^:]*)(:.*)?$/.exec(line) ?? [];
  const arrows = way
    .replace(/\s*(?:→|⟶|➔|–>|—>)\s*/g, " --> ")
    .replace(/(?<=\s)->(?=\s)/g, "-->")
    .replace(/(\w)-(?=\w)/g, (sign, before: string) => (/^\s*state(?:Diagram)?-?/.test(way) ? sign : `${before}_`));
  const named = /^(\s*\S+)\s+--\s+([^>]+?)\s+-->\s+(\S+)\s*$/.exec(arrows);
  return named ? `${named[1]} --> ${named[3]} : ${named[2]}` : arrows + label;
}

/** A line of an entity diagram: a relation has a label, in quotes if it is several words; an attribute's type comes first. */
export function relationLine(line: string): string {
  const [, relation, label] = /^(\s*[\w"-]+\s+[|}o][|o](?:--|\.\.)[|o][|{o]\s+[\w"-]+)\s*(?::\s*(.*))?$/.exec(line) ?? [];
  if (relation)
    return `${relation} : ${!label ? '" "' : /^(?:"[^"]*"|[\w-]+)$/.test(label.trim()) ? label : `"${label.trim().replaceAll('"', "")}"`}`;
  return line.replace(/^(\s*)(\w+)\s*:\s*(\w[\w()]*)\s*$/, "$1$3 $2");
}

/** A line of a pie: a name in quotes, a colon, a number. */
export const sliceLine = (line: string): string =>
  line.replace(/^(\s*)(?!pie\b|title\b|showData\b)"?([^":]+?)"?\s*:?\s*(\d+(?:\.\d+)?)\s*%?\s*$/, '$1"$2" : $3');
