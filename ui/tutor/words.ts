import type { Decision, ObjectiveMastery, Step, TutorMessage, TutorSession } from "@colloquy/schemas/tutor/session.ts";

export const movedWords = "The session went on elsewhere. This is where it stands now.";

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** What is new after a turn, said once. Pure. */
export function newsWords(before: TutorSession | null, after: TutorSession): string {
  const fresh = after.messages.slice(before?.messages.length ?? 0);
  const words: string[] = [];
  for (const message of fresh) {
    if (message.kind === "answer") words.push(message.correct ? "Right." : "Not right.");
    if (message.kind === "hint") words.push(`Hint: ${message.text}`);
    if (message.kind === "explanation") words.push("Explained. An answer to this question now counts less.");
    if (message.kind === "self_report") words.push("Noted. It counts nothing until an answer shows it.");
    if (message.kind === "teaching") words.push(`Taught: ${message.title}.`);
    if (message.kind === "decision" && spoken.has(message.decision)) words.push(message.text);
  }
  if (after.phase === "completed") words.push("The session is complete.");
  else if (after.current && after.current.itemId !== before?.current?.itemId) words.push("A new question waits.");
  return words.join(" ");
}
const spoken = new Set<Decision>(["advance", "replan", "wait", "pause", "dispute", "replace"]);

/** Below a step: how far it is, in words. */
export function stepWords(step: Step, session: TutorSession): string {
  if (step.state === "mastered") return evidenceCount(step, session);
  if (step.state === "skipped") return "left for later, not mastered";
  if (step.state === "current") {
    if (session.paused) return "paused here";
    const { current } = session;
    return current?.kind === "check" ? `question ${current.attempt}` : "being taught";
  }
  const [first] = step.prerequisites.flatMap((id) => session.path.find(({ stepId }) => stepId === id) ?? []);
  return first ? `after “${first.title}”` : "";
}

function evidenceCount({ objectiveIds }: Step, { mastery }: TutorSession): string {
  const counts = mastery.filter(({ objectiveId }) => objectiveIds.includes(objectiveId)).flatMap(({ evidence }) => evidence);
  const unaided = counts.filter(({ correct, aided, disputed }) => correct && !aided && !disputed);
  return `mastered · ${unaided.length} of ${counts.length} right without help`;
}

/** Below the bar of an objective: what its mastery stands on. */
export function masteryWords({ mastered, masteredAt, evidence }: ObjectiveMastery): string {
  if (mastered) return masteredAt === undefined ? "Mastered" : `Mastered at event ${masteredAt}`;
  const counting = evidence.filter(({ disputed }) => !disputed);
  if (!counting.length) return "Nothing answered yet";
  const right = counting.filter(({ correct }) => correct).length;
  const aided = counting.filter((one) => one.aided).length;
  if (counting.every(({ kind }) => kind === "probe")) return `From ${counted(counting.length, "first question", "first questions")} only`;
  return [`${right} of ${counting.length} right`, ...(aided ? [`${aided} counting less`] : [])].join(", ");
}

export const percent = (probability: number): string => `${Math.round(probability * 100)} %`;

/** Why the session goes on as it does: the newest decision that is about what comes next. */
export function whyNext({ messages, phase }: TutorSession): Extract<TutorMessage, { kind: "decision" }> | null {
  const last = messages.findLast((message) => message.kind === "decision");
  return last?.kind === "decision" && phase !== "completed" ? last : null;
}

/** What the tutor is at, for the head of the page. */
export function phaseWords({ phase, paused, path }: TutorSession): string {
  if (paused) return "Paused";
  if (phase === "completed") return "Complete";
  if (phase === "probing") return "First questions";
  if (phase === "planning") return "Planning";
  const at = path.findIndex(({ state }) => state === "current");
  return at === -1 ? "Teaching" : `Step ${at + 1} of ${path.length}`;
}
