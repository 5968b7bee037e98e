/** One line of an examination: what was looked at, whether it is well, and what to do when it is not. */
export interface Finding {
  subject: string;
  level: "ok" | "warning" | "failure";
  text: string;
}

const labels = { ok: "ok", warning: "WARNING", failure: "FAILURE" } as const;

export const ok = (subject: string, text: string): Finding => ({ subject, level: "ok", text });
export const warning = (subject: string, text: string): Finding => ({ subject, level: "warning", text });
export const failure = (subject: string, text: string): Finding => ({ subject, level: "failure", text });

/** One line for each finding, and one that counts them. */
export function findingsText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  const count = (level: Finding["level"]): number => findings.filter((finding) => finding.level === level).length;
  const counted = (number: number, one: string): string => `${number === 0 ? "no" : number} ${one}${number === 1 ? "" : "s"}`;
  return [
    ...findings.map(({ subject, level, text }) => `${labels[level].padEnd(7)}  ${subject.padEnd(width)}  ${text}`),
    `${counted(findings.length, "finding")}: ${counted(count("failure"), "failure")}, ${counted(count("warning"), "warning")}`,
  ].join("\n");
}
