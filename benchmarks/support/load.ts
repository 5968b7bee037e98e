import { setTimeout as pause } from "node:timers/promises";
import { learners } from "../../journeys/learner.ts";

/**
 * An open-loop load, as a process of its own (`node load.ts <address> <commands each second> <seconds>`, SESSION_SECRET in the
 * environment): commands begin at their times whether or not earlier ones were answered, and each is timed from the moment it was due, so
 * that a stall counts for every command that it held up. Prints one line of JSON: `LoadResult`.
 */
export interface LoadResult {
  /** Milliseconds from when each was due until its push was acknowledged, and until the record that holds it was read. */
  acknowledged: number[];
  read: number[];
  failed: number;
  /** Milliseconds the load began its commands too late, at most: what the machine did to the generator itself. */
  late: number;
}

/** As many as keep each well below what one account may push in a minute. */
const accounts = 60;
const warmupMs = 5_000;
const answer = "A pipe connects the output of one program with the input of the next. ".repeat(15);

const [address = "", perSecond = "0", seconds = "0"] = process.argv.slice(2);
const people = await learners(address, process.env.SESSION_SECRET ?? "", accounts);
const result: LoadResult = { acknowledged: [], read: [], failed: 0, late: 0 };
const everyMs = 1_000 / Number(perSecond);
const count = Math.round((warmupMs + Number(seconds) * 1_000) / everyMs);
const began = performance.now() + 200;
const under: Promise<void>[] = [];
for (let index = 0; index < count; index += 1) {
  const due = began + index * everyMs;
  const wait = due - performance.now();
  if (wait > 1) await pause(wait);
  under.push(command(index, due, due - began >= warmupMs));
}
await Promise.all(under);
console.log(JSON.stringify(result));

/** One turn of a conversation; every tenth begins a new one. */
async function command(index: number, due: number, counts: boolean): Promise<void> {
  if (counts) result.late = Math.max(result.late, performance.now() - due);
  const person = people[index % accounts];
  const turnsEach = 10 * accounts;
  const entityId = `load-conversation-${index % accounts}-${Math.floor(index / turnsEach)}`;
  const first = index % turnsEach < accounts;
  const at = new Date().toISOString();
  const data = first
    ? { mode: "ask", model: { choice: "automatic" }, references: [], title: `Conversation ${index}` }
    : {
        turnId: `turn-of-load-${index}`,
        question: "What does a pipe do?",
        answer,
        citations: [],
        outcome: "finished",
        provider: "p1",
        model: "some-model",
        fallbackDepth: 0,
      };
  const type = first ? "started" : "turn_recorded";
  try {
    const pushed = await person?.push([{ changeId: `change-load-${index}`, domain: "conversation", entityId, type, at, data }]);
    const acknowledged = performance.now() - due;
    const seen = await person?.get(`/api/conversations/${entityId}?after=${pushed?.position}`);
    if (pushed?.results[0]?.outcome !== "accepted" || seen?.status !== 200) throw new Error("not taken in, or not to be read");
    if (!counts) return;
    result.acknowledged.push(acknowledged);
    result.read.push(performance.now() - due);
  } catch {
    result.failed += 1;
  }
}
