import type { AuditDifference } from "@colloquy/schemas/audit/requests.ts";
import type { TutorAnswer } from "@colloquy/schemas/tutor/events.ts";
import type { EvidenceEntry } from "@colloquy/schemas/tutor/ledger.ts";
import { emptyLedger, evolveLedger, type LedgerState, masteryIn, probabilitiesIn, standingsIn } from "@colloquy/schemas/tutor/replay.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";

/** An entry of the ledger, and the answer that it records, if any. */
export interface RecordedFact {
  entry: EvidenceEntry;
  fact: TutorAnswer | null;
}

/**
 * Differences between live values and the replay: the mastery, the standings and the answer that each entry states, and phase, path, mastery
 * and standings in the live state. Pure.
 * @param replayed the ledger at the version of the live state
 */
export function differencesIn(facts: readonly RecordedFact[], live: TutorState | null, replayed: LedgerState): AuditDifference[] {
  let ledger = emptyLedger;
  const found = facts.flatMap(({ entry, fact }) => {
    const before = entry.kind === "opened" ? {} : probabilitiesIn(ledger, entry.objectiveIds);
    ledger = evolveLedger(ledger, entry);
    return [
      ...probabilityDifferences(entry, ledger, before, entry.masteryBefore, "before"),
      ...probabilityDifferences(entry, ledger, probabilitiesIn(ledger, entry.objectiveIds), entry.masteryAfter, "after"),
      ...standingDifferences(entry, ledger),
      ...(fact ? answerDifferences(entry, fact) : []),
    ];
  });
  return live ? [...found, ...liveDifferences(live, replayed)] : found;
}

const titleOf = (ledger: LedgerState, objectiveId: string): string =>
  ledger.objectives.find((one) => one.objectiveId === objectiveId)?.title ?? objectiveId;

function probabilityDifferences(
  { index }: EvidenceEntry,
  ledger: LedgerState,
  replayed: Readonly<Record<string, number>>,
  stated: Readonly<Record<string, number>>,
  when: string,
): AuditDifference[] {
  return Object.entries(replayed).flatMap(([objectiveId, probability]) => {
    const live = stated[objectiveId];
    if (live === probability) return [];
    const subject = `${titleOf(ledger, objectiveId)}, ${when} this entry`;
    return [
      { index, of: "mastery" as const, subject, live: live === undefined ? "not stated" : String(live), replay: String(probability) },
    ];
  });
}

/** Older entries state no standings. */
function standingDifferences({ index, objectiveIds, standings }: EvidenceEntry, ledger: LedgerState): AuditDifference[] {
  if (!standings) return [];
  return Object.entries(standingsIn(ledger, objectiveIds)).flatMap(([objectiveId, replay]) => {
    const live = standings[objectiveId] ?? "not stated";
    if (live === replay) return [];
    return [{ index, of: "mastery" as const, subject: `${titleOf(ledger, objectiveId)}, standing after this entry`, live, replay }];
  });
}

function answerDifferences(entry: EvidenceEntry, fact: TutorAnswer): AuditDifference[] {
  const choices = entry.response && "choiceIds" in entry.response ? entry.response.choiceIds : [];
  const pairs: [string, unknown, unknown][] = [
    ["question", fact.itemId, entry.itemId],
    ["choices", fact.choiceIds.toSorted().join(", "), [...choices].sort().join(", ")],
    ["graded", fact.correct ? "correct" : "wrong", entry.correct ? "correct" : "wrong"],
    ["help", fact.aided ? "aided" : "unaided", entry.aided ? "aided" : "unaided"],
    ["graded by", fact.gradedBy, entry.gradedBy],
  ];
  return pairs.flatMap(([subject, live, replay]) =>
    live === replay ? [] : [{ index: entry.index, of: "answer" as const, subject, live: String(live), replay: String(replay) }],
  );
}

function liveDifferences({ ledger: live, objectives }: TutorState, replayed: LedgerState): AuditDifference[] {
  const pathOf = ({ path }: LedgerState): string => path.map(({ title, state }) => `${title}: ${state}`).join("; ") || "no path";
  const paused = (ledger: LedgerState): string => (ledger.paused ? "paused" : "not paused");
  const pairs: [AuditDifference["of"], string, string, string][] = [
    ["phase", "Phase", live.phase, replayed.phase],
    ["pause", "Pause", paused(live), paused(replayed)],
    ["path", "Path", pathOf(live), pathOf(replayed)],
    ...objectives.flatMap(({ objectiveId, title }): [AuditDifference["of"], string, string, string][] => {
      const [was, is] = [masteryIn(live, objectiveId), masteryIn(replayed, objectiveId)];
      return [
        ["mastery", title, String(was.probability), String(is.probability)],
        ["mastery", `${title}, standing`, was.standing, is.standing],
      ];
    }),
  ];
  return pairs.flatMap(([of, subject, was, is]) => (was === is ? [] : [{ index: null, of, subject, live: was, replay: is }]));
}
