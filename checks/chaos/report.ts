import { cpus } from "node:os";
import type { Call } from "./chaos.ts";
import { bounds } from "./client.ts";
import { thinkMs } from "./crowd.ts";
import type { Record } from "./deeds.ts";
import type { Findings } from "./examine.ts";
import type { Outcome } from "./trial.ts";

interface Ran {
  call: Call;
  outcomes: readonly Outcome[];
  found: Findings;
  record: Record;
  seconds: number;
  /** The machine's, over five minutes. */
  load: number;
  /** Share of `/readyz` that said 503 before the first fault. */
  calm: number;
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
  const { fault, unreadyAfter, readyAfter, recoveredAfter, longest, told, held, wrong } = outcome;
  const { works, waits } = byOutcome(outcome);
  return (
    `${fault.part}, ${fault.what}${told ? ` (${told})` : ""}: works: ${works.join(", ") || "nothing"}; waits: ${waits.join(", ") || "nothing"}; ` +
    `503 after ${figure(unreadyAfter)} s, 200 after ${figure(readyAfter)} s${readyAfter > 5 ? ` (${held})` : ""}, a whole journey after ${figure(recoveredAfter)} s; ` +
    `longest request ${figure(longest)} s; ${wrong.length} wrong`
  );
}

/** The page, and the last line of the command. */
export function page(ran: Ran): { text: string; summary: string; good: boolean } {
  const { outcomes, found, record, seconds, load } = ran;
  const wrong = found.wrong.length + outcomes.reduce((sum, one) => sum + one.wrong.length, 0);
  const good = found.lost.length + found.doubled.length + found.letIn.length + wrong === 0;
  const told = [...found.acknowledged].map(([kind, count]) => `${count.toLocaleString("en")} ${kind}`).join(", ");
  const summary =
    `${outcomes.length} faults in ${seconds.toFixed(0)} s, ${record.deeds.length.toLocaleString("en")} requests; acknowledged: ${told}; ` +
    `${found.events.toLocaleString("en")} events, ${found.ledgers} ledgers audited; ` +
    `${found.lost.length} lost, ${found.doubled.length} doubled, ${found.letIn.length} let in, ${wrong} otherwise wrong`;
  return { text: pageText({ ...ran, told, wrong, load }), summary, good };
}

function pageText({ call, outcomes, found, record, seconds, load, calm, told, wrong }: Ran & { told: string; wrong: number }): string {
  const command = `npm run chaos -- --learners ${call.learners} --seconds-per-fault ${call.seconds} --seed ${call.seed}${call.only ? ` --only "${call.only}"` : ""}${call.short ? " --short" : ""} --write`;
  const rows = outcomes.map((outcome) => {
    const { works, waits } = byOutcome(outcome);
    const { fault, unreadyAfter, readyAfter, recoveredAfter, longest, told: said, wrong: faults } = outcome;
    const words = [fault.what, ...(said ? [said] : [])].join("; ");
    return `| ${fault.part} | ${words} | ${works.join(", ") || "–"} | ${waits.join(", ") || "–"} | ${figure(unreadyAfter)} | ${figure(readyAfter)} | ${figure(recoveredAfter)} | ${figure(longest)} | ${faults.length} |`;
  });
  const faults = outcomes.flatMap(({ fault, wrong: lines }) =>
    lines.map((line) => `- ${fault.part}, ${fault.what}: ${line.replaceAll("\n", " ")}`),
  );
  const bad = [...found.lost, ...found.doubled, ...found.letIn, ...found.wrong].map(
    (line) => `- ${line.replaceAll("\n", " ").slice(0, 400)}`,
  );
  return `# Faults, end to end

Made by \`${command}\`; do not edit it by hand.

Simulated learners (two of them owners of courses, two who have films made) sign in by the OpenID flow and work over HTTP as the interface does: they read pages, ask and read answers to the end, take quizzes, are tutored, annotate and draw, sync, follow live streams, publish, have films made, and try to look into each other's things. Meanwhile each part of a deployment (services started one by one, PostgreSQL, Apache Kafka, an S3 and an OpenID provider of the test, the demonstration model, a render worker), each reached through a TCP line of its own, is refused, silenced, slowed, cut and killed in turn. Every learner writes down what was acknowledged. In the end all of it is looked for: in what its owner reads, in the live streams, in the event store (revisions without a gap, no request carried out twice), in the ledgers, and in read models that are built anew and compared (\`npm run projections -- verify\`).

A refusal has to be problem+json (a page, for people) with a code of the list and its status, a 503 with \`Retry-After\`; nothing may take longer, and no answer in pieces be silent for longer, than ${bounds.answerMs / 1_000} s, and no live stream be silent for longer than ${bounds.liveSilenceMs / 1_000} s; what does not need the part has to go on.

## The last run

${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores shared with other work (load average ${load.toFixed(1)}, this run included), ${call.learners} learners, ${outcomes.length} faults in ${seconds.toFixed(0)} s, ${record.deeds.length.toLocaleString("en")} requests; each learner does something every ${thinkMs(call.learners) / 1_000} s on the average. Before the first fault \`/readyz\` said 503 in ${Math.round(100 * calm)} % of its answers, because a part did not answer within its second: so busy was the machine, and figures of time are the machine's as much as the program's.

Acknowledged: ${told}. The event store has ${found.events.toLocaleString("en")} events; ${found.ledgers} ledgers were audited.

**${found.lost.length} lost, ${found.doubled.length} doubled, ${found.letIn.length} let in, ${wrong} otherwise wrong.**

*Works* and *waits*: of what was begun while the fault lasted; "3 of 5" means that three requests of five were refused in words or broken off, and sent again until they were done. *503*: seconds from the fault until \`/readyz\` said so. *200* and *recovered*: seconds from its end until \`/readyz\` was well, and until a whole journey (signing in, reading a page, asking, reading what was written) had gone well. *Longest*: the longest request in seconds, streams left out.

| part | fault | works | waits | 503 | 200 | recovered | longest | wrong |
|---|---|---|---|---|---|---|---|---|
${rows.join("\n")}
${faults.length + bad.length === 0 ? "" : `\n## What was wrong\n\n${[...faults, ...bad].join("\n")}\n`}`;
}
