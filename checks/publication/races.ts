import { historyOf } from "@colloquy/command-api/publication/revisions.ts";
import type { RevisionUnit } from "@colloquy/schemas/courses/revision.ts";
import { startDeployment } from "../harness/deployment.ts";
import { sendUntilAnswered } from "./author.ts";
import { courseId, marksIn } from "./course.ts";
import { firstRevision } from "./kills.ts";
import { readContinuously, readStore } from "./reader.ts";

/**
 * Two authors on two machines publish over the same base at the same moment, again and again: one wins, the other is told what is live
 * now and publishes over that. False when both win, neither does, or a text of either is missing in the end.
 */
export async function publicationRaces({ rounds }: { rounds: number }): Promise<boolean> {
  const deployment = await startDeployment({ commandApis: 2 });
  const [here, there] = deployment.commandApis.map((one) => one.address()) as [string, string];
  const wrong: string[] = [];
  const resting = new AbortController();
  let wonThere = 0;
  try {
    let live: { sequence: number; revisionId: string } = await firstRevision(deployment);
    const reading = readContinuously(deployment.queryApi.address(), deployment.objects.objects, resting.signal);
    for (let round = 0; round < rounds && wrong.length < 10; round += 1) {
      const attempt = async (side: string, number: number) => ({
        requestId: `request-${side}-${round}`,
        mark: `${side}${round}`,
        base: live,
        headers: (await deployment.owner((round % 40) * 2 + number)).headers,
      });
      const [ours, theirs] = [await attempt("a", 0), await attempt("b", 1)];
      const answers = await Promise.all([sendUntilAnswered(() => here, ours), sendUntilAnswered(() => there, theirs)]);
      const statuses = answers.map(({ status }) => status);
      if (statuses.toSorted().join() !== "200,409") {
        wrong.push(`round ${round}: ${answers.map(({ status, body }) => `${status} ${body.code ?? ""}`).join(", ")}`);
        continue;
      }
      if (statuses[1] === 200) wonThere += 1;
      const [won, lost] = statuses[0] === 200 ? answers : answers.toReversed();
      const told = lost?.body.live;
      if (lost?.body.code !== "stale_base" || told?.revisionId !== won?.body.revisionId || told?.sequence !== won?.body.sequence)
        wrong.push(`round ${round}: the one who lost was told ${JSON.stringify(lost?.body)}`);
      const loser = statuses[0] === 200 ? { machine: there, with: theirs } : { machine: here, with: ours };
      const again = await sendUntilAnswered(() => loser.machine, { ...loser.with, base: told ?? live });
      if (again.status !== 200) wrong.push(`round ${round}: after the conflict ${again.status} ${again.body.code}`);
      live = again.body;
    }
    resting.abort();
    const readings = await reading;
    wrong.push(...readings.torn.slice(0, 20));
    const history = await historyOf(deployment.events, courseId);
    if (history.length !== 1 + 2 * rounds) wrong.push(`${history.length} revisions instead of ${1 + 2 * rounds}`);
    const units = [...deployment.objects.objects]
      .filter(([key]) => key.includes("/units/"))
      .map(([, { bytes }]) => JSON.parse(bytes.toString()) as RevisionUnit);
    const kept = marksIn(units.flatMap((unit) => (unit.kind === "topic" ? [unit.topic.title] : [])));
    for (let round = 0; round < rounds; round += 1)
      for (const side of ["a", "b"]) if (!kept.has(`${side}${round}`)) wrong.push(`the text of ${side}${round} is lost`);
    if (readStore(deployment.objects.objects).sequence !== history.length) wrong.push("the pointer is not at the last revision");
    console.log(
      `races of two machines: ${rounds} rounds, won ${rounds - wonThere} here and ${wonThere} there; ${history.length} revisions; ` +
        `${readings.pages} pages and ${readings.pointers} pointers read, ${readings.torn.length} torn; ${wrong.length} wrong`,
    );
  } finally {
    resting.abort();
    await deployment.close();
  }
  for (const line of wrong) console.error(`  ${line}`);
  return wrong.length === 0;
}
