import type {
  CreateReq,
  DeleteReq,
  GetInfoReq,
  ListReq,
  ReadReq,
  ReplayParkedReq,
  UpdateReq,
} from "@eventstore/db-client/generated/persistent_pb.js";
import type { StreamIdentifier } from "@eventstore/db-client/generated/shared_pb.js";
import { maximumGroupBuffer } from "../limits.ts";
import type { Filter } from "../records.ts";
import { BadRequest, filterOf, idText, streamName } from "../requests.ts";
import { allStream } from "../streams.ts";
import type { GroupName } from "./definitions.ts";
import type { NackAction } from "./messages.ts";
import { type GroupSettings, type StrategyName, strategyNames } from "./settings.ts";

/** What callers ask of persistent subscriptions, taken out of the generated messages. A wrong question is a `BadRequest`. */

interface NamesGroup {
  getStreamIdentifier(): StreamIdentifier | undefined;
  hasAll(): boolean;
  getGroupName(): string;
}

function groupName(options: NamesGroup | undefined, stream = options?.getStreamIdentifier()): GroupName {
  const name = options?.getGroupName();
  if (!options || !name) throw new BadRequest("A group name is needed.");
  return { source: options.hasAll() ? allStream : streamName(stream), name };
}

/** The largest unsigned number, by which clients say "end" where only a revision can stand. */
const endRevision = 2 ** 63;

function place(text: string): number | "end" {
  const value = Number(text);
  return value >= endRevision ? "end" : Math.min(value, Number.MAX_SAFE_INTEGER);
}

interface SaysStart {
  hasStart(): boolean;
  hasEnd(): boolean;
}

type DefinitionOptions = CreateReq.Options | UpdateReq.Options;

function startFrom(options: DefinitionOptions): GroupSettings["startFrom"] {
  const word = (says: SaysStart): "start" | "end" => (says.hasEnd() ? "end" : "start");
  const stream = options.getStream();
  const all = options.getAll();
  if (stream) return stream.hasRevision() ? place(stream.getRevision()) : word(stream);
  if (all) return all.hasPosition() ? place(all.getPosition()?.getCommitPosition() ?? "0") : word(all);
  const revision = place(options.getSettings()?.getRevision() ?? "0");
  return revision === 0 ? "start" : revision;
}

const ticksPerMillisecond = 10_000;

/** Checked by `settingsProblem`; here only what the message itself gets wrong. */
function settingsOf(options: DefinitionOptions): GroupSettings {
  const settings = options.getSettings();
  if (!settings) throw new BadRequest("The settings of the group are needed.");
  const time = (inMs: boolean, ms: number, ticks: string): number => (inMs ? ms : Math.round(Number(ticks) / ticksPerMillisecond));
  return {
    startFrom: startFrom(options),
    resolveLinks: settings.getResolveLinks(),
    extraStatistics: settings.getExtraStatistics(),
    messageTimeout: time(settings.hasMessageTimeoutMs(), settings.getMessageTimeoutMs(), settings.getMessageTimeoutTicks()),
    maxRetryCount: settings.getMaxRetryCount(),
    checkpointAfter: time(settings.hasCheckpointAfterMs(), settings.getCheckpointAfterMs(), settings.getCheckpointAfterTicks()),
    minCheckpointCount: settings.getMinCheckpointCount(),
    maxCheckpointCount: settings.getMaxCheckpointCount(),
    maxSubscriberCount: settings.getMaxSubscriberCount(),
    liveBufferSize: settings.getLiveBufferSize(),
    historyBufferSize: settings.getHistoryBufferSize(),
    readBatchSize: settings.getReadBatchSize(),
    strategy: strategy("getConsumerStrategy" in settings ? settings.getConsumerStrategy() : "", settings.getNamedConsumerStrategy()),
  };
}

function strategy(name: string, number: number): StrategyName {
  const found = name ? strategyNames.find((known) => known === name) : strategyNames[number];
  if (!found) throw new BadRequest(`The consumer strategy ${name || number} is not known; there are ${strategyNames.join(", ")}.`);
  return found;
}

export interface DefinitionRequest {
  group: GroupName;
  settings: GroupSettings;
  filter: Filter | null;
}

/** @throws {BadRequest} */
export function createRequest(request: CreateReq): DefinitionRequest {
  const options = request.getOptions();
  const group = groupName(options, options?.getStream()?.getStreamIdentifier() ?? options?.getStreamIdentifier());
  const filter = options?.getAll()?.getFilter();
  if (!options) throw new BadRequest("A group name is needed.");
  return { group, settings: settingsOf(options), filter: filter ? filterOf(filter) : null };
}

/** A group keeps its filter. @throws {BadRequest} */
export function updateRequest(request: UpdateReq): Omit<DefinitionRequest, "filter"> {
  const options = request.getOptions();
  const group = groupName(options, options?.getStream()?.getStreamIdentifier() ?? options?.getStreamIdentifier());
  if (!options) throw new BadRequest("A group name is needed.");
  return { group, settings: settingsOf(options) };
}

/** @throws {BadRequest} */
export const namedGroup = (request: DeleteReq | GetInfoReq): GroupName => groupName(request.getOptions());

/** @throws {BadRequest} */
export function replayRequest(request: ReplayParkedReq): { group: GroupName; stopAt: number | null } {
  const options = request.getOptions();
  const group = groupName(options);
  const stopAt = options?.hasStopAt() ? Number(options.getStopAt()) : null;
  if (stopAt !== null && !(stopAt >= 0)) throw new BadRequest("The revision to stop at cannot be below 0.");
  return { group, stopAt };
}

/** The stream whose groups are asked for, null for all groups. @throws {BadRequest} */
export function listRequest(request: ListReq): string | null {
  const options = request.getOptions();
  const wanted = options?.getListForStream();
  if (!options || (!wanted && !options.hasListAllSubscriptions())) throw new BadRequest("Say which groups are to be listed.");
  if (!wanted) return null;
  return wanted.hasAll() ? allStream : streamName(wanted.getStream());
}

/** @throws {BadRequest} */
export function connectRequest(options: ReadReq.Options): { group: GroupName; slots: number } {
  const group = groupName(options);
  const slots = options.getBufferSize();
  if (slots < 1 || slots > maximumGroupBuffer) throw new BadRequest(`The buffer size must be from 1 to ${maximumGroupBuffer}.`);
  return { group, slots };
}

const actions: readonly NackAction[] = ["retry", "park", "retry", "skip", "stop"];

export type Answer = { ids: string[]; action: NackAction | "ack"; reason: string };

/** Null for what is no answer. */
export function answerOf(request: ReadReq): Answer | null {
  const ack = request.getAck();
  const nack = request.getNack();
  if (ack) return { ids: ack.getIdsList().map(idText), action: "ack", reason: "" };
  if (nack) return { ids: nack.getIdsList().map(idText), action: actions[nack.getAction()] ?? "retry", reason: nack.getReason() };
  return null;
}
