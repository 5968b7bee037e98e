import type { LedgerKey } from "@colloquy/schemas/tutor/ledger.ts";
import { learnerKinds, seeded } from "./learners.ts";
import { patientJson } from "./patient.ts";
import { startEvaluatedProgram } from "./program.ts";
import { type NotBegun, type WholeSession, wholeSession } from "./whole-session.ts";

/** What a population's sessions with the whole program came to. */
export interface ProgramOutcome {
  sessions: WholeSession[];
  notBegun: string[];
  /** Topics the goals were about. */
  topics: number;
  keys: readonly LedgerKey[];
  seconds: number;
}

/**
 * `count` learners of each kind, `atOnce` at a time, each with a session on another topic of the courses in turn. The seed fixes who the
 * learners are and what they answer; the order of choices is the program's own.
 */
export async function through(
  folders: Readonly<Record<string, string>>,
  { count, seed, atOnce }: { count: number; seed: number; atOnce: number },
): Promise<ProgramOutcome> {
  const program = await startEvaluatedProgram(folders);
  try {
    const began = performance.now();
    const { keys } = await patientJson<{ keys: LedgerKey[] }>(`${program.url}/api/tutor/ledger-keys`);
    const topics: { courseId: string; goal: string }[] = [];
    for (const courseId of ["linear-maps", "learning-to-learn", ...Object.keys(folders)]) {
      const { course } = await patientJson<{ course: { topics: Topic[] } }>(`${program.url}/api/courses/${courseId}`);
      for (const { title, objectives = [] } of taughtIn(course.topics))
        topics.push({ courseId, goal: `${title}. ${objectives[0]?.text ?? ""}`.trim() });
    }
    const sessions: WholeSession[] = [];
    const notBegun: string[] = [];
    const all = count * learnerKinds.length;
    const waiting = Array.from({ length: count }, (_, index) =>
      learnerKinds.map((kind, place) => ({ kind, number: index * learnerKinds.length + place })),
    );
    const queue = waiting.flat();
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const { kind, number } = next;
        // Eleven is prime to the number of kinds: every kind meets every topic.
        const topic = topics[(number * 11 + Math.floor(number / learnerKinds.length)) % topics.length] as (typeof topics)[number];
        const accountId = `acc_evaluated${String(number).padStart(5, "0")}`;
        // One that breaks does not take the others with it, and is told.
        const made = await wholeSession(kind, { program, accountId, ...topic, keys, random: seeded(seed + number) }).catch(
          (error: unknown): NotBegun => ({ notBegun: `${topic.courseId}, ${topic.goal}: broken off by ${String(error)}` }),
        );
        if ("notBegun" in made) notBegun.push(made.notBegun);
        else sessions.push(made);
        const done = sessions.length + notBegun.length;
        if (done % 10 === 0 || done === all) {
          const seconds = Math.round((performance.now() - began) / 1_000);
          const open = sessions.filter(({ deadlocked }) => deadlocked).length;
          const left = Math.round((seconds / done) * (all - done));
          process.stderr.write(
            `${done} of ${all} sessions in ${seconds} s, about ${left} s left; not finished ${open}, not begun ${notBegun.length}\n`,
          );
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return { sessions, notBegun, topics: topics.length, keys, seconds: (performance.now() - began) / 1_000 };
  } finally {
    await program.stop();
  }
}

interface Topic {
  title: string;
  objectives?: { text: string }[];
}

/** Topics that say what they teach: pages of licences, notes and further reading do not. A course whose topics all say nothing gives all. */
export function taughtIn(topics: readonly Topic[]): readonly Topic[] {
  const saying = topics.filter(({ objectives = [] }) => objectives.length > 0);
  return saying.length > 0 ? saying : topics;
}
