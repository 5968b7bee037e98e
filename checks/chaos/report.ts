import { cpus } from "node:os";
import type { Call } from "./chaos.ts";
import type { Findings } from "./examine.ts";
import { thinkMs } from "./learners.ts";
import type { RequestLog } from "./request-log.ts";
import type { Outcome } from "./run-fault.ts";

interface Ran {
  call: Call;
  outcomes: readonly Outcome[];
  found: Findings;
  record: RequestLog;
  seconds: number;
  /** The machine's, over five minutes. */
  load: number;
}

const figure = (seconds: number | null): string =>
  seconds === null ? "–" : seconds === Number.POSITIVE_INFINITY ? "never" : seconds.toFixed(1);

/** What went on and what had to wait, of what was tried meanwhile. */
function byOutcome({ deeds }: Outcome): { works: string[]; waits: string[] } {
  const works = [...deeds].filter(([, { waited }]) => waited === 0).map(([name]) => name);
  const waits = [...deeds]
    .filter(([, { waited }]) => waited > 0)
    .map(([name, { done, waited }]) => `${name} ${waited} of ${done + waited}`);
  return { works, waits };
}

/** One line for a fault, as it is over. */
export function lineOf(outcome: Outcome): string {
  const { fault, readiness, recoveredAfter, longest, told, wrong } = outcome;
  const { offAfter, wellAfter, named, starved } = readiness;
  const { works, waits } = byOutcome(outcome);
  return (
    `${fault.part}, ${fault.what}${told ? ` (${told})` : ""}: works: ${works.join(", ") || "nothing"}; waits: ${waits.join(", ") || "nothing"}; ` +
    `/readyz off after ${figure(offAfter)} s${named.length > 0 ? ` (${named.join(", ")})` : ""}, well after ${figure(wellAfter)} s, a whole journey after ${figure(recoveredAfter)} s; ` +
    `longest request ${figure(longest)} s; ${starved.count} of ${starved.of} answers of /readyz not judged; ${wrong.length} wrong`
  );
}

/** The page, and the last line of the command. */
export function page(ran: Ran): { text: string; summary: string; good: boolean } {
  const { outcomes, found, record, seconds, load } = ran;
  const wrong = found.wrong.length + outcomes.reduce((sum, one) => sum + one.wrong.length, 0);
  const good = found.lost.length + found.doubled.length + found.letIn.length + wrong === 0;
  const told = [...found.acknowledged].map(([kind, count]) => `${count.toLocaleString("en")} ${kind}`).join(", ");
  const summary =
    `${outcomes.length} faults in ${seconds.toFixed(0)} s, ${record.requests.length.toLocaleString("en")} requests; acknowledged: ${told}; ` +
    `${found.events.toLocaleString("en")} events, ${found.ledgers} ledgers audited; ` +
    `${found.lost.length} lost, ${found.doubled.length} doubled, ${found.letIn.length} let in, ${wrong} otherwise wrong`;
  return { text: pageText({ ...ran, told, wrong, load }), summary, good };
}

function pageText({ call, outcomes, found, record, seconds, load, told, wrong }: Ran & { told: string; wrong: number }): string {
  const command = `npm run chaos -- --learners ${call.learners} --seconds-per-fault ${call.seconds} --seed ${call.seed}${call.only ? ` --only "${call.only.join(",")}"` : ""}${call.short ? " --short" : ""} --write`;
  const rows = outcomes.map((outcome) => {
    const { works, waits } = byOutcome(outcome);
    const { fault, readiness, recoveredAfter, longest, told: said, wrong: faults } = outcome;
    const words = [fault.what, ...(said ? [said] : [])].join("; ");
    return `| ${fault.part} | ${words} | ${works.join(", ") || "–"} | ${waits.join(", ") || "–"} | ${[figure(readiness.offAfter), ...readiness.named].join(", ")} | ${figure(readiness.wellAfter)} | ${figure(recoveredAfter)} | ${figure(longest)} | ${faults.length} |`;
  });
  const faults = outcomes.flatMap(({ fault, wrong: lines }) =>
    lines.map((line) => `- ${fault.part}, ${fault.what}: ${line.replaceAll("\n", " ")}`),
  );
  const sum = (count: (outcome: Outcome) => number): number => outcomes.reduce((all, outcome) => all + count(outcome), 0);
  const [starved, asked] = [sum(({ readiness }) => readiness.starved.count), sum(({ readiness }) => readiness.starved.of)];
  const bad = [...found.lost, ...found.doubled, ...found.letIn, ...found.wrong].map(
    (line) => `- ${line.replaceAll("\n", " ").slice(0, 400)}`,
  );
  return `# Faults, end to end

Made by \`${command}\`; do not edit it by hand.

Simulated learners use every part of the program while each part of a deployment is refused, silenced, slowed, cut and killed in turn. [Checks](../build/checks.md#chaos) says what is judged and how.

## The last run

${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores shared with other work (load average ${load.toFixed(1)}, this run included), ${call.learners} learners, ${outcomes.length} faults in ${seconds.toFixed(0)} s, ${record.requests.length.toLocaleString("en")} requests; each learner does something every ${thinkMs(call.learners) / 1_000} s on the average. ${starved} of ${asked} answers of \`/readyz\` were not judged. Figures of time are the machine's as much as the program's.

Acknowledged: ${told}. The event store has ${found.events.toLocaleString("en")} events; ${found.ledgers} ledgers were audited.

**${found.lost.length} lost, ${found.doubled.length} doubled, ${found.letIn.length} let in, ${wrong} otherwise wrong.**

*Works* and *waits*: of what was begun while the fault lasted; "3 of 5" means that three requests of five were refused, broken off, or answered only behind its end, and sent again until they were done. *Off*: seconds from the fault until \`/readyz\` was not 200, and what it named. *200* and *recovered*: seconds from its end until \`/readyz\` was well for good, and until a whole journey (signing in, reading a page, asking, reading what was written) had gone well. *Longest*: the longest request in seconds, streams left out.

| part | fault | works | waits | off | 200 | recovered | longest | wrong |
|---|---|---|---|---|---|---|---|---|
${rows.join("\n")}
${faults.length + bad.length === 0 ? "" : `\n## What was wrong\n\n${[...faults, ...bad].join("\n")}\n`}`;
}
