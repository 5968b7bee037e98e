/**
 * The lifecycle of a turn, apart from its frames: whether it runs, who reads it, who records it and when it is dropped. Pure: an event
 * goes in, effects come out.
 */
export interface TurnLifecycle {
  /** It outlives its readers for a grace period and is recorded unless it is released. */
  readonly isKept: boolean;
  /** Kept, and recorded by the service as soon as it ends, also when it is stopped: the client stores nothing. */
  readonly isRecordedByService: boolean;
  readonly readers: number;
  /** `stopping`: aborted, and the last frame has not come yet. */
  readonly stage: "running" | "stopping" | "ended";
  /** `released`: the learner stopped it or has all of it. `recorded`: the service records it or has recorded it. */
  readonly fate: "open" | "released" | "recorded";
}

export type TurnEvent =
  | "readerJoined"
  | "readerLeft"
  | "released"
  | "conversationDeleted"
  /** The last frame came. */
  | "ended"
  /** The time without a reader is over. */
  | "graceExpired"
  /** The time after recording is over. */
  | "retentionExpired"
  /** The service stops. */
  | "closing"
  /** The service stops, and the readers had time to take the last frame. */
  | "closed";

export type TurnEffect =
  | "stopUnread"
  | "stopReleased"
  | "stopClosing"
  | "record"
  | "drop"
  /** A turn has one timer: starting one replaces the other. */
  | "startGrace"
  | "startRetention"
  | "clearTimer";

export const startedLifecycle = (isKept: boolean, isRecordedByService = false): TurnLifecycle => ({
  isKept,
  isRecordedByService,
  readers: 0,
  stage: "running",
  fate: "open",
});

type Transition = readonly [TurnLifecycle, ...TurnEffect[]];

/** The lifecycle after an event, and the effects to carry out in this order. */
export function nextLifecycle(life: TurnLifecycle, event: TurnEvent): Transition {
  switch (event) {
    case "readerJoined":
      return [{ ...life, readers: life.readers + 1 }, "clearTimer"];
    case "readerLeft":
      return afterReaderLeft({ ...life, readers: life.readers - 1 });
    case "released":
      if (life.isRecordedByService && life.fate === "open") return stopped(life, "stopReleased");
      return released(life);
    case "conversationDeleted":
      return released(life);
    case "ended":
      return afterEnd({ ...life, stage: "ended" }, life.stage === "stopping");
    case "graceExpired":
      if (!life.isKept || life.fate === "released") return [life];
      return life.stage === "ended" ? recorded(life, "startRetention") : stopped(life, "stopUnread");
    case "retentionExpired":
      return [life, "drop"];
    case "closing":
      return stopped(life, "stopClosing");
    case "closed":
      // Recorded in spite of a reader: a connection can seem open when it is lost.
      return life.isKept && life.fate !== "released" ? recorded(life) : [life];
  }
}

function afterReaderLeft(life: TurnLifecycle): Transition {
  if (life.readers > 0 || life.fate === "released") return [life];
  if (!life.isKept) return life.stage === "ended" ? [life, "drop"] : stopped(life, "stopUnread");
  return [life, life.fate === "recorded" ? "startRetention" : "startGrace"];
}

const released = (life: TurnLifecycle): Transition =>
  life.fate === "released" ? [life] : stopped({ ...life, fate: "released" }, "stopReleased", "drop");

/** @param wasStopped whether the turn was aborted: then there is no grace period for readers who left */
function afterEnd(life: TurnLifecycle, wasStopped: boolean): Transition {
  if (life.fate === "released") return [life, "drop"];
  if (life.isRecordedByService) return life.readers > 0 ? recorded(life) : recorded(life, "startRetention");
  if (life.readers > 0) return [life];
  if (!life.isKept) return [life, "drop"];
  return wasStopped ? recorded(life, "startRetention") : [life];
}

function stopped(life: TurnLifecycle, stop: TurnEffect, ...then: TurnEffect[]): Transition {
  return life.stage === "running" ? [{ ...life, stage: "stopping" }, stop, ...then] : [life, ...then];
}

function recorded(life: TurnLifecycle, ...then: TurnEffect[]): Transition {
  return life.fate === "recorded" ? [life, ...then] : [{ ...life, fate: "recorded" }, "record", ...then];
}

/** True for a turn that only waits to be read again: it is evicted first. */
export const isIdle = ({ stage, readers, fate }: TurnLifecycle): boolean => stage === "ended" && readers === 0 && fate === "recorded";
