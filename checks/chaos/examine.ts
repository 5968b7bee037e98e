import { execFile } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { verifyLedger } from "@colloquy/infra/ledger/verify.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import type { ConversationResponse } from "@colloquy/schemas/conversations/requests.ts";
import type { ExplainerJob } from "@colloquy/schemas/explainers/job.ts";
import type { EditorHistoryResponse, EditorSourceResponse } from "@colloquy/schemas/publication/requests.ts";
import type { PullResponse } from "@colloquy/schemas/sync/protocol.ts";
import type { LedgerKey } from "@colloquy/schemas/tutor/ledger.ts";
import type { TutorSessionResponse } from "@colloquy/schemas/tutor/requests.ts";
import { examine as examineFilms } from "../film-crash/examine.ts";
import type { FullDeployment } from "../harness/full-deployment.ts";
import { patientJson } from "../tutor-evaluation/patient.ts";
import { publishedCourse } from "./actions.ts";
import { liveFaults } from "./judge.ts";
import { newId, retryUntilDone, type SimulatedPerson } from "./simulated-person.ts";

const home = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
/** Films that were asked for are made within this, once everything runs. */
const filmsWithinMs = 240_000;

/** What was found in the end. */
export interface Findings {
  /** Things that were acknowledged, by kind. */
  acknowledged: Map<string, number>;
  lost: string[];
  doubled: string[];
  letIn: string[];
  wrong: string[];
  events: number;
  ledgers: number;
}

/** Holds what everybody was told against what is there: in what they read, in the event store, in the read models. */
export async function examine(deployment: FullDeployment, people: readonly SimulatedPerson[]): Promise<Findings> {
  const found: Findings = { acknowledged: new Map(), lost: [], doubled: [], letIn: [], wrong: [], events: 0, ledgers: 0 };
  const { keys } = await patientJson<{ keys: LedgerKey[] }>(`${deployment.url}/api/tutor/ledger-keys`);
  for (const person of people) {
    await changesOf(person, found);
    await conversationsOf(person, found);
    await sessionsOf(person, keys, found);
  }
  const live = liveFaults(people.map(({ name, journal: { changes, streamed } }) => ({ name, acknowledged: changes.keys(), streamed })));
  found.lost.push(...live.lost);
  found.doubled.push(...live.doubled);
  found.wrong.push(...live.wrong);
  for (const [index, person] of people.entries())
    await lookAround(person, people[(index + 1) % people.length] ?? person, deployment, found);
  await publications(deployment, people, found);
  await films(deployment, people, found);
  const events = await Array.fromAsync(deployment.events.readAll());
  found.events = events.length;
  streams(events, found);
  await run(process.execPath, ["projections/cli.ts", "verify"], { cwd: home, env: { ...process.env, ...deployment.environment } }).catch(
    (error: Error & { stdout?: string }) => found.wrong.push(`read models differ from a rebuild: ${error.stdout ?? error.message}`),
  );
  return found;
}

const add = ({ acknowledged }: Findings, kind: string, count: number): void =>
  void acknowledged.set(kind, (acknowledged.get(kind) ?? 0) + count);
const get = async <Body>(
  { client }: SimulatedPerson,
  name: "pull" | "read a conversation" | "tutor" | "publish" | "film",
  path: string,
): Promise<Body> => JSON.parse((await retryUntilDone(path, () => client.send(name, path))).text) as Body;

/** Says of things that have to be there once how often they are. */
function once(what: string, times: number, { lost, doubled }: Findings): void {
  if (times === 0) lost.push(what);
  else if (times > 1) doubled.push(`${what} is there ${times} times`);
}

async function changesOf(person: SimulatedPerson, found: Findings): Promise<void> {
  const { journal, name } = person;
  const times = new Map<string, number>();
  for (let cursor = "0", more = true; more; ) {
    const page = await get<PullResponse>(person, "pull", `/api/sync/pull?after=${cursor}`);
    for (const { changeId } of page.changes) times.set(changeId, (times.get(changeId) ?? 0) + 1);
    ({ cursor, more } = page);
  }
  for (const [changeId, { type }] of journal.changes) once(`${type} ${changeId} of ${name}`, times.get(changeId) ?? 0, found);
  add(found, "changes", journal.changes.size);
  add(found, "changes brought by live streams", journal.streamed.size);
}

async function conversationsOf(person: SimulatedPerson, found: Findings): Promise<void> {
  const { journal } = person;
  for (const [turnId, { conversationId, answer, question }] of journal.turns) {
    const { conversation } = await get<ConversationResponse>(person, "read a conversation", `/api/conversations/${conversationId}`);
    const own = conversation.turns.filter((turn) => turn.turnId === turnId);
    once(`the answer ${turnId} of ${person.name}`, own.length, found);
    if (own[0] && (own[0].answer !== answer || own[0].question !== question)) found.wrong.push(`the answer ${turnId} has another text`);
    for (const turn of conversation.turns)
      if (turn.turnId !== turnId && !(journal.asked.has(turn.turnId) && turn.outcome === "stopped"))
        found.doubled.push(`${conversationId} has the turn ${turn.turnId}, ${turn.outcome}, which nobody recorded`);
  }
  for (const [quizId, { conversationId }] of journal.quizzes) {
    const { conversation } = await get<ConversationResponse>(person, "read a conversation", `/api/conversations/${conversationId}`);
    once(`the attempt at ${quizId}`, conversation.quizAttempts.filter((attempt) => attempt.quizId === quizId).length, found);
  }
  add(found, "answers", journal.turns.size);
  add(found, "quizzes", journal.quizzes.size);
}

async function sessionsOf(person: SimulatedPerson, keys: readonly LedgerKey[], found: Findings): Promise<void> {
  for (const [sessionId, { version, answered }] of person.journal.sessions) {
    const { session } = await get<TutorSessionResponse>(person, "tutor", `/api/tutor/sessions/${sessionId}`);
    if (session.version < version) found.lost.push(`session ${sessionId} is at ${session.version} and was at ${version}`);
    for (const itemId of answered) {
      const answers = session.messages.filter((message) => message.kind === "answer" && message.itemId === itemId);
      once(`the answer to ${itemId} of ${sessionId}`, answers.length, found);
    }
    const path = `/api/tutor/sessions/${sessionId}/ledger`;
    const { text } = await retryUntilDone(path, () => person.client.send("tutor", path));
    const { fault } = verifyLedger(text, keys);
    if (fault) found.wrong.push(`the ledger of ${sessionId}, line ${fault.line}: ${fault.message}`);
    add(found, "tutor's answers", answered.size);
    found.ledgers += 1;
  }
  add(found, "tutoring sessions", person.journal.sessions.size);
}

/** Nobody sees anything of a neighbour's, and a visitor nothing of anybody's. */
async function lookAround(
  person: SimulatedPerson,
  { journal, name }: SimulatedPerson,
  { url }: FullDeployment,
  found: Findings,
): Promise<void> {
  if (person.name === name) return;
  const paths = [
    ...[...journal.turns.values()].map(({ conversationId }) => `/api/conversations/${conversationId}`),
    ...[...journal.sessions.keys()].flatMap((id) => [`/api/tutor/sessions/${id}`, `/api/tutor/sessions/${id}/ledger`]),
    ...[...journal.films.keys()].flatMap((id) => [
      `/api/visual-explainers/jobs/${id}`,
      `/api/visual-explainers/jobs/${id}/artifact?kind=video`,
    ]),
  ];
  for (const path of paths) {
    const { status } = await retryUntilDone(path, () => person.client.send("look into another's", path, { fits: [404] }));
    if (status !== 404) found.letIn.push(`${person.name} at ${path} of ${name}: ${status}`);
    const visitor = await fetch(url + path);
    await visitor.body?.cancel();
    if (visitor.status !== 401) found.letIn.push(`a visitor at ${path}: ${visitor.status}`);
  }
  add(found, "looks into another's", 2 * paths.length);
}

async function publications(deployment: FullDeployment, people: readonly SimulatedPerson[], found: Findings): Promise<void> {
  const owners = people.filter(({ owner }) => owner);
  const [first] = owners;
  if (!first) return;
  const { revisions } = await get<EditorHistoryResponse>(first, "publish", `/api/course-editor/history?course=${publishedCourse}`);
  const { course } = await get<EditorSourceResponse>(first, "publish", `/api/course-editor/source?course=${publishedCourse}`);
  const text = JSON.stringify(course);
  for (const { name, journal } of owners) {
    for (const { sequence, revisionId } of journal.published.values())
      once(
        `revision ${sequence} of ${name}`,
        revisions.filter((one) => one.revisionId === revisionId && one.sequence === sequence).length,
        found,
      );
    const last = [...journal.published.values()].at(-1);
    if (last) once(`the last sentence of ${name}`, text.split(last.mark).length - 1, found);
    add(found, "revisions", journal.published.size);
  }
  const publishing = (await Array.fromAsync(deployment.events.readAll({ prefixes: [`publication-${publishedCourse}`] }))).length;
  if (publishing !== revisions.length) found.wrong.push(`${publishing} publications are ${revisions.length} revisions`);
}

async function films(deployment: FullDeployment, people: readonly SimulatedPerson[], found: Findings): Promise<void> {
  const approved = people.flatMap((person) =>
    [...person.journal.films].filter(([, film]) => film.approved).map(([jobId]) => ({ person, jobId })),
  );
  const giveUp = performance.now() + filmsWithinMs;
  for (const { person, jobId } of approved)
    for (let state = ""; state !== "completed" && performance.now() < giveUp; ) {
      const path = `/api/visual-explainers/jobs/${jobId}`;
      const { job } = await get<{ job: Pick<ExplainerJob, "state" | "failure"> }>(person, "film", path);
      ({ state } = job);
      // Its worker was lost too often: its owner is told, and tries again.
      if (state === "failed" && job.failure?.retryable) {
        const body = { schemaVersion: 1, requestId: newId() };
        await retryUntilDone("another try at a film", () => person.client.send("film", `${path}/retry`, { method: "POST", body }));
        add(found, `films tried again by their owners (${job.failure.code})`, 1);
      } else if (state === "failed") break;
      if (state !== "completed") await pause(500);
    }
  const made = await examineFilms(
    deployment.events,
    openObjectStore(deployment.objects.environment as unknown as Parameters<typeof openObjectStore>[0]),
    approved.map(({ jobId }) => jobId),
  );
  found.lost.push(...made.lost);
  found.doubled.push(...made.doubled);
  found.wrong.push(...made.wrong);
  add(found, "films", approved.length);
}

/** Streams have their events one behind the other, and each request was carried out once. */
function streams(events: readonly StoredEvent[], { doubled, wrong }: Findings): void {
  const ids = new Set<string>();
  for (const [stream, own] of Map.groupBy(events, (event) => event.stream)) {
    const ended = new Map<string, number>();
    for (const [index, { id, revision, metadata, type }] of own.entries()) {
      if (ids.has(id)) doubled.push(`event ${id} of ${stream}`);
      ids.add(id);
      const before = own[index - 1];
      if (before && revision !== before.revision + 1) wrong.push(`${stream} jumps from ${before.revision} to ${revision}`);
      const { requestId } = metadata;
      if (requestId === undefined) continue;
      // One request may be several events, appended at once; never one of them again later.
      const last = ended.get(requestId);
      if (last !== undefined && last !== revision - 1)
        doubled.push(`${type} of request ${requestId} in ${stream} at ${revision}, and at ${last}`);
      ended.set(requestId, revision);
    }
  }
}
