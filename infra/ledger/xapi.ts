import type { MechanicalQuestion } from "@colloquy/schemas/questions/mark.ts";
import type { QuestionResponse, ShownPart, ShownQuestion } from "@colloquy/schemas/questions/response.ts";
import { solutionOf } from "@colloquy/schemas/questions/solution.ts";
import type { EvidenceEntry } from "@colloquy/schemas/tutor/ledger.ts";
import { emptyLedger, evolveLedger, masteryIn } from "@colloquy/schemas/tutor/replay.ts";
import type { Selection, TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { eventIdFrom } from "../event-store/event-id.ts";

/** An xAPI 1.0.3 statement, as far as this program writes any. */
export interface Statement {
  id: string;
  actor: { objectType: "Agent"; account: { homePage: string; name: string } };
  verb: { id: string; display: Record<string, string> };
  object: { objectType: "Activity"; id: string; definition: Record<string, unknown> };
  result?: Record<string, unknown>;
  context: Record<string, unknown>;
  timestamp: string;
  version: "1.0.3";
}

const verbs = {
  opened: ["http://adlnet.gov/expapi/verbs/initialized", "initialized"],
  answered: ["http://adlnet.gov/expapi/verbs/answered", "answered"],
  asked: ["http://adlnet.gov/expapi/verbs/asked", "asked"],
  reported: ["http://adlnet.gov/expapi/verbs/commented", "commented"],
  mastered: ["http://adlnet.gov/expapi/verbs/mastered", "mastered"],
  /** Of provisional mastery, which is no `mastered` yet. */
  passed: ["http://adlnet.gov/expapi/verbs/passed", "passed"],
  suspended: ["http://adlnet.gov/expapi/verbs/suspended", "suspended"],
  resumed: ["http://adlnet.gov/expapi/verbs/resumed", "resumed"],
  completed: ["http://adlnet.gov/expapi/verbs/completed", "completed"],
  progressed: ["http://adlnet.gov/expapi/verbs/progressed", "progressed"],
} as const satisfies Record<string, readonly [string, string]>;

interface Of {
  publicUrl: string;
  /** A pseudonym: no name and no mail address leaves. */
  learner: string;
  session: TutorSession;
}

/**
 * A ledger as scored xAPI 1.0.3 statements, one for each entry of its own session, and one for each objective whose standing an answer raises: `passed` for
 * provisional mastery, `mastered` for confirmed. Ids are made from the entries' hashes, so that a second export is the same statements; questions not answered or explained yet keep their key.
 */
export function xapiStatements(entries: readonly EvidenceEntry[], of: Of): Statement[] {
  let ledger = emptyLedger;
  return entries.flatMap((entry) => {
    const before = ledger;
    ledger = evolveLedger(before, entry);
    // The session that it was given in has its statements.
    if (entry.carriedFrom) return [];
    const raised = entry.objectiveIds.flatMap((id) => {
      const standing = masteryIn(ledger, id).standing;
      const isRaised = standing !== "none" && standing !== masteryIn(before, id).standing;
      return isRaised ? masteredStatement(entry, id, standing, of) : [];
    });
    return [statementOf(entry, of), ...raised];
  });
}

function statementOf(entry: EvidenceEntry, of: Of): Statement {
  const [id, name] = verbs[verbOf(entry)];
  const result = resultOf(entry, of);
  return {
    id: eventIdFrom("xapi", entry.hash),
    actor: { objectType: "Agent", account: { homePage: of.publicUrl, name: of.learner } },
    verb: { id, display: { en: name } },
    object: { objectType: "Activity", ...activityOf(entry, of) },
    ...(result && { result }),
    context: contextOf(entry, of),
    timestamp: entry.at,
    version: "1.0.3",
  };
}

function verbOf({ kind, decision }: EvidenceEntry): keyof typeof verbs {
  if (kind === "opened") return "opened";
  if (kind === "probe" || kind === "check") return "answered";
  if (kind === "hint" || kind === "explanation" || kind === "asked") return "asked";
  if (kind === "self_report") return "reported";
  if (decision === "pause") return "suspended";
  if (decision === "resume") return "resumed";
  if (decision === "complete") return "completed";
  return "progressed";
}

const sessionIri = ({ publicUrl, session }: Of): string => `${publicUrl}/api/tutor/sessions/${session.sessionId}`;
const extension = ({ publicUrl }: Of, name: string): string => `${publicUrl}/xapi/${name}`;

function activityOf(entry: EvidenceEntry, of: Of): { id: string; definition: Record<string, unknown> } {
  if (entry.itemId === undefined) {
    const type = "http://adlnet.gov/expapi/activities/module";
    return { id: sessionIri(of), definition: { type, name: { und: `Tutoring: ${of.session.courseTitle}` } } };
  }
  const { messages } = of.session;
  const asked = messages.find((message) => message.kind === "question" && message.itemId === entry.itemId);
  const shown = messages.find(
    (message) => (message.kind === "answer" || message.kind === "explanation") && message.itemId === entry.itemId,
  );
  const definition: Record<string, unknown> = { type: "http://adlnet.gov/expapi/activities/cmi.interaction" };
  if (asked?.kind === "question") {
    definition.description = { und: asked.prompt };
    definition.interactionType = interactionTypes[asked.selection];
    if (asked.question) Object.assign(definition, componentsOf(asked.question));
    else if (asked.selection !== "text")
      definition.choices = asked.choices.map(({ choiceId, text }) => ({ id: choiceId, description: { und: text } }));
    if (shown && "key" in shown && shown.key) definition.correctResponsesPattern = patternsOf(shown.key);
    else if (shown && "right" in shown && asked.selection !== "text") definition.correctResponsesPattern = [shown.right.join("[,]")];
  } else definition.interactionType = "other";
  return { id: `${sessionIri(of)}/items/${entry.itemId}`, definition };
}

/** xAPI 1.0.3, part two, 4.1.4.1.1. A question with gaps is a list of fill-ins. */
const interactionTypes = {
  single: "choice",
  multiple: "choice",
  text: "long-fill-in",
  short: "fill-in",
  number: "numeric",
  gap: "fill-in",
  order: "sequencing",
  match: "matching",
} as const satisfies Record<Selection, string>;

/** The parts that a response names by their ids. */
function componentsOf(question: ShownQuestion): Record<string, unknown> {
  const named = (parts: readonly ShownPart[]) => parts.map(({ id, markdown }) => ({ id, description: { und: markdown } }));
  if ("choices" in question) return { choices: named(question.choices) };
  if ("items" in question) return { choices: named(question.items) };
  return "lefts" in question ? { source: named(question.lefts), target: named(question.rights) } : {};
}

/** The right responses, as xAPI writes them. */
function patternsOf(key: MechanicalQuestion): string[] {
  if (key.kind === "text") return [...key.accepted];
  if (key.kind === "number") return [`${key.value - key.tolerance}[:]${key.value + key.tolerance}`];
  const solution = solutionOf(key);
  return "answer" in solution ? [] : [responseText(solution)];
}

function responseText(response: QuestionResponse): string {
  if ("choiceIds" in response) return response.choiceIds.join("[,]");
  if ("pairs" in response) return response.pairs.map(({ left, right }) => `${left}[.]${right}`).join("[,]");
  return "texts" in response ? response.texts.join("[,]") : response.text;
}

function resultOf(entry: EvidenceEntry, of: Of): Record<string, unknown> | null {
  const mastery = { [extension(of, "mastery-before")]: entry.masteryBefore, [extension(of, "mastery-after")]: entry.masteryAfter };
  if (entry.kind === "probe" || entry.kind === "check") {
    const raw = entry.correct ? 1 : 0;
    // Own words that the learner compared with the course were judged by nobody.
    const isJudged = !of.session.messages.some((one) => one.kind === "answer" && one.receipt === entry.index && one.compared);
    const response = entry.response && !("commitment" in entry.response) ? responseText(entry.response) : undefined;
    return {
      ...(isJudged && { score: { scaled: raw, raw, min: 0, max: 1 }, success: entry.correct === true }),
      completion: true,
      ...(response !== undefined && { response }),
      extensions: { ...mastery, [extension(of, "aided")]: entry.aided, [extension(of, "graded-by")]: entry.gradedBy },
    };
  }
  if (entry.decision === "complete") return { completion: true, extensions: mastery };
  return entry.objectiveIds.length > 0 ? { extensions: mastery } : null;
}

function contextOf(entry: EvidenceEntry, of: Of): Record<string, unknown> {
  const { publicUrl, session } = of;
  const { index, hash, kind, decision, reason, model, via, courseRevisionId, sourceIds } = entry;
  const said = { index, hash, kind, decision, reason, model, via, "course-revision": courseRevisionId, sources: sourceIds };
  const stated = Object.entries(said).flatMap(([name, value]) => (value === undefined ? [] : [[extension(of, `ledger-${name}`), value]]));
  return {
    registration: session.sessionId,
    platform: "Colloquy",
    contextActivities: {
      parent: [{ objectType: "Activity", id: sessionIri(of) }],
      grouping: [{ objectType: "Activity", id: `${publicUrl}/courses/${session.courseId}` }],
    },
    extensions: Object.fromEntries(stated),
  };
}

function masteredStatement(entry: EvidenceEntry, objectiveId: string, standing: "provisional" | "confirmed", of: Of): Statement[] {
  const objective = of.session.mastery.find((one) => one.objectiveId === objectiveId);
  if (!objective) return [];
  const [id, name] = verbs[standing === "confirmed" ? "mastered" : "passed"];
  const probability = entry.masteryAfter[objectiveId] ?? 0;
  return [
    {
      ...statementOf(entry, of),
      id: eventIdFrom(standing === "confirmed" ? "xapi mastered" : "xapi passed", entry.hash, objectiveId),
      verb: { id, display: { en: name } },
      object: {
        objectType: "Activity",
        id: `${of.publicUrl}/courses/${of.session.courseId}/objectives/${objectiveId}`,
        definition: { type: "http://adlnet.gov/expapi/activities/objective", name: { und: objective.title } },
      },
      result: { score: { scaled: probability }, success: true, extensions: { [extension(of, "standing")]: standing } },
    },
  ];
}
