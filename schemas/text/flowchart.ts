const box = /([A-Za-z][\w-]*)\s*(?:\[\[?"?([^\]"]+)"?\]?\]|\(\(?"?([^)"]+)"?\)?\)|\{"?([^}"]+)"?\})?/y;
const arrow = /\s*(-->|---|-\.->|==>)\s*(?:\|"?([^|"]*)"?\|)?\s*/y;

/** A Mermaid flowchart: the texts of its boxes by name, and what joins them; `directed`: it has a head. */
export interface Flowchart {
  labels: ReadonlyMap<string, string>;
  edges: readonly { from: string; to: string; label: string; directed: boolean }[];
}

/** Boxes and arrows of a Mermaid flowchart; null for a diagram of another kind, or with groups. Pure. */
export function readFlowchart(mermaid: string): Flowchart | null {
  const [first = "", ...rows] = mermaid.split("\n").map((row) => row.trim());
  if (!/^(?:flowchart|graph)\b/.test(first)) return null;
  const labels = new Map<string, string>();
  const edges: { from: string; to: string; label: string; directed: boolean }[] = [];
  for (const row of rows) {
    if (row === "" || row.startsWith("%%") || /^(?:classDef|class|style|linkStyle)\b/.test(row)) continue;
    let at = 0;
    let joined: { from: string; label: string; directed: boolean } | null = null;
    while (at < row.length) {
      box.lastIndex = at;
      const [whole, name, ...texts] = box.exec(row) ?? [];
      if (whole === undefined || name === undefined || name === "subgraph" || name === "end") return null;
      at += whole.length;
      const text = texts.find((one) => one !== undefined);
      if (text !== undefined || !labels.has(name)) labels.set(name, text?.trim() ?? name);
      if (joined) edges.push({ ...joined, to: name });
      if (at >= row.length) break;
      arrow.lastIndex = at;
      const found = arrow.exec(row);
      if (!found) return null;
      at += found[0].length;
      joined = { from: name, label: found[2]?.trim() ?? "", directed: found[1] !== "---" };
    }
  }
  return { labels, edges };
}
