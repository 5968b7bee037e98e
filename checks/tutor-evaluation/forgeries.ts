import { canonicalText, chained, sha256 } from "@colloquy/infra/ledger/chain.ts";
import { exportLines } from "@colloquy/infra/ledger/export.ts";
import type { LedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import type { FaultCode } from "@colloquy/infra/ledger/verify.ts";
import type { ItemEvidence } from "@colloquy/schemas/tutor/evidence.ts";
import type { CommittedQuestion, EvidenceEntry, UnchainedEntry } from "@colloquy/schemas/tutor/ledger.ts";
import { authoredEvidence, defaultEvidence, masteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import { emptyLedger, evolveLedger, probabilitiesIn, standingsIn, withEntry } from "@colloquy/schemas/tutor/replay.ts";

/** What an entry says; what everything before it decides is reckoned. */
export type Told = Pick<EvidenceEntry, "kind"> & Partial<UnchainedEntry>;

const sessionId = "session-00000001";
const objectiveIds = ["objective-01"];

/** The export of a ledger with these entries, hashed and signed by the service itself; chain, probabilities and standings are right. */
export function ledgerOf(told: readonly Told[], signer: LedgerSigner, at = "2026-02-01T00:00:00.000Z"): string {
  let state = emptyLedger;
  const records = told.map((fields) => {
    const ids = fields.objectiveIds ?? [];
    const bare: UnchainedEntry = {
      schemaVersion: 1,
      index: state.count,
      entryId: `entry-${String(state.count).padStart(8, "0")}`,
      at: new Date(Date.UTC(2026, 0, 10) + state.count * 1_000).toISOString(),
      aided: false,
      gradedBy: "application",
      sourceIds: [],
      courseRevisionId: "revision-01",
      phase: "probing",
      objectiveIds: ids,
      ...fields,
      masteryBefore: probabilitiesIn(state, ids),
      masteryAfter: {},
    };
    const after = withEntry(state, bare);
    const standings = after.parameters.version > 1 && { standings: standingsIn(after, ids) };
    const entry = chained({ ...bare, masteryAfter: probabilitiesIn(after, ids), ...standings }, state.lastHash);
    state = evolveLedger(state, entry);
    return { entry };
  });
  return exportLines(sessionId, records, signer, at);
}

export const opened = (parameters: NonNullable<EvidenceEntry["opening"]>["parameters"] = masteryParameters): Told => ({
  kind: "opened",
  objectiveIds,
  opening: {
    sessionId,
    courseId: "course-01",
    parameters,
    objectives: [{ objectiveId: "objective-01", title: "Pipes" }],
    goal: "0".repeat(64),
  },
});

/** The right answer to question `number`: one with choices that a model wrote, or, with a key, one of the course's own. */
export function answered(number: number, more: Partial<Told> & { key?: CommittedQuestion["key"] } = {}): Told {
  const { key, ...said } = more;
  const itemId = `item-000${number}`;
  const choices = [1, 2, 3, 4].map((place) => ({ choiceId: `choice-${number}-${place}`, text: `Choice ${place}` }));
  const authored = { blockId: `block-000${number}`, courseRevisionId: "revision-01", digest: "1".repeat(64) };
  const bare = { rubric: [], modelAnswer: "" };
  const question: CommittedQuestion = key
    ? { ...bare, prompt: key.markdown, choices: [], right: [], key, authored }
    : { ...bare, prompt: `Question ${number}?`, choices, right: [`choice-${number}-1`] };
  const selection = key ? ("short" as const) : ("single" as const);
  return {
    kind: "probe",
    objectiveIds,
    itemId,
    selection,
    choices: question.choices.length,
    question,
    itemDigest: sha256(canonicalText({ ...question, itemId, selection })),
    correct: true,
    response: key ? { text: "wc" } : { choiceIds: [`choice-${number}-1`] },
    evidence: key
      ? authoredEvidence(key, masteryParameters)
      : defaultEvidence({ selection: "single", choices: choices.length }, masteryParameters),
    ...said,
  };
}

/** A question of the course's own, answered by "wc". */
const counting: NonNullable<CommittedQuestion["key"]> = {
  kind: "text",
  level: "recall",
  about: [],
  place: "bank",
  markdown: "What counts words?",
  hints: [],
  accepted: ["wc"],
};
const weighing = (said: Partial<ItemEvidence>, { evidence }: Told) => ({ evidence: { ...evidence, ...said } as ItemEvidence });
const completed = (reason: "mastered" | "nothing_left"): Told => ({ kind: "adapt", phase: "completed", decision: "complete", reason });
const planned = (ids: string[]): Told => {
  const step = { stepId: "step-0001", title: "Pipes", objectiveIds: ids, sourceIds: [], prerequisites: [] };
  return { kind: "plan", phase: "teaching", verified: true, objectiveIds: ids, steps: [step] };
};
const left: Told = { kind: "adapt", phase: "teaching", decision: "advance", reason: "left_for_later", stepId: "step-0001", objectiveIds };
const help = (kind: "hint" | "explanation" | "asked"): Told => ({ kind, itemId: "item-0001", aided: true, objectiveIds });

/** Ledgers as the program writes them, by what they tell. */
export const honest: Record<string, readonly Told[]> = {
  "answers of both kinds": [opened(), answered(1), answered(2, { key: counting })],
  "an end with a step left": [opened(), planned(objectiveIds), left, completed("nothing_left")],
  "an end with everything mastered": [
    opened(),
    ...[1, 2, 3, 4].map((number) => answered(number)),
    answered(5, { key: counting }),
    completed("mastered"),
  ],
  "an answer with its help": [opened(), help("hint"), help("asked"), answered(1, { aided: true, help: "hint" })],
  "a guess rate that a second look raised": [opened(), answered(1, weighing({ guess: 0.6 }, answered(1)))],
  "an answer shown elsewhere": [opened(), answered(1, { key: counting, aided: true, help: "shown" })],
};

/** Ledgers that only whoever has the service's key can make, and that contradict themselves. */
export const forged: Record<string, { code: FaultCode; told: readonly Told[] }> = {
  "mastered without an answer": { code: "decision", told: [opened(), completed("mastered")] },
  "at its end by the phase alone": {
    code: "decision",
    told: [opened(), { kind: "adapt", phase: "completed", decision: "resume", reason: "learner" }],
  },
  "at the end of a path that leads to nothing": { code: "decision", told: [opened(), planned([]), completed("mastered")] },
  "at the end of a path that is not done": { code: "decision", told: [opened(), planned(objectiveIds), completed("mastered")] },
  "unaided after an explanation": { code: "help", told: [opened(), help("explanation"), answered(1)] },
  "unaided after a hint": { code: "help", told: [opened(), help("hint"), answered(1)] },
  "unaided after asking back": { code: "help", told: [opened(), help("asked"), answered(1)] },
  "helped less than it was": { code: "help", told: [opened(), help("explanation"), answered(1, { aided: true, help: "hint" })] },
  "helped without help": { code: "help", told: [opened(), answered(1, { aided: true, help: "hint" })] },
  "unaided after a film": { code: "help", told: [opened(), answered(1, { film: "job-00000001" })] },
  "unaided the second time": {
    code: "help",
    told: [opened(), answered(1), { ...answered(1), ...renamed(answered(1), "item-0002") }],
  },
  "a choice as an explanation": { code: "evidence", told: [opened(), answered(1, weighing({ kind: "explanation" }, answered(1)))] },
  "a choice that nobody guesses": { code: "evidence", told: [opened(), answered(1, weighing({ guess: 0.001 }, answered(1)))] },
  "a slip of its own": { code: "evidence", told: [opened(), answered(1, weighing({ slip: 0.5 }, answered(1)))] },
  "a key of another guess rate": {
    code: "evidence",
    told: [opened(), answered(1, { key: counting, ...weighing({ guess: 0.1 }, answered(1, { key: counting })) })],
  },
  "more choices than there were": { code: "evidence", told: [opened(), answered(1, { choices: 8 })] },
  "a threshold of its own": { code: "policy", told: [opened({ ...masteryParameters, threshold: 0.5 })] },
  "a confirmation at once": { code: "policy", told: [opened({ ...masteryParameters, confirmation: { hours: 0, guess: 1 } })] },
  "a model's grade of a choice": {
    code: "grade",
    told: [opened(), answered(1, { gradedBy: "model", criteria: [true], response: { choiceIds: ["choice-1-2"] } })],
  },
};

/** The same question under another id. */
function renamed({ question, selection }: Told, itemId: string) {
  return { itemId, itemDigest: sha256(canonicalText({ ...question, itemId, selection })) };
}
