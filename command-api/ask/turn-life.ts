/**
 * What becomes of a turn, apart from its frames: whether it runs, who reads it, who records it and when it is dropped. Pure: what
 * happens to it goes in, what is to be done comes out.
 */
export interface TurnLife {
  /** It outlives its readers for a while and is recorded when nobody has let go of it. */
  readonly kept: boolean;
  /** Kept, and recorded by the service as soon as it has ended: whoever asked stores nothing, and to stop it is not to throw it away. */
  readonly byService: boolean;
  readonly readers: number;
  /** `stopping`: told to end, and has not said its last frame yet. */
  readonly stage: "running" | "stopping" | "ended";
  /** `letGo`: its learner wants no more of it, or has all of it. `recorded`: the service has it in hand. */
  readonly fate: "open" | "letGo" | "recorded";
}

export type TurnHappening =
  | "read"
  | "left"
  | "letGo"
  /** Its conversation was deleted. */
  | "forgotten"
  /** Its last frame was said. */
  | "ended"
  /** So long nobody has read it; then, so long it was kept after it was recorded. */
  | "graceOver"
  | "keptOver"
  /** The service stops; then, its readers had their time for the last line. */
  | "closing"
  | "closed";

export type TurnDeed =
  | "stopUnread"
  | "stopLetGo"
  | "stopClosing"
  | "record"
  | "drop"
  /** One of the two waits at most is under way; a new one takes the place of the one before. */
  | "waitGrace"
  | "waitKept"
  | "waitNoMore";

export const turnBegins = (kept: boolean, byService = false): TurnLife => ({ kept, byService, readers: 0, stage: "running", fate: "open" });

type Step = readonly [TurnLife, ...TurnDeed[]];

/** The life of a turn after something has happened to it, and what is to be done, in this order. */
export function turnLifeAfter(life: TurnLife, happening: TurnHappening): Step {
  switch (happening) {
    case "read":
      return [{ ...life, readers: life.readers + 1 }, "waitNoMore"];
    case "left":
      return whenLeft({ ...life, readers: life.readers - 1 });
    case "letGo":
      if (life.byService && life.fate === "open") return stopped(life, "stopLetGo");
      return dropped(life);
    case "forgotten":
      return dropped(life);
    case "ended":
      return whenEnded({ ...life, stage: "ended" }, life.stage === "stopping");
    case "graceOver":
      if (!life.kept || life.fate === "letGo") return [life];
      return life.stage === "ended" ? recorded(life, "waitKept") : stopped(life, "stopUnread");
    case "keptOver":
      return [life, "drop"];
    case "closing":
      return stopped(life, "stopClosing");
    case "closed":
      // A connection that only seems to be open keeps no turn from being recorded.
      return life.kept && life.fate !== "letGo" ? recorded(life) : [life];
  }
}

function whenLeft(life: TurnLife): Step {
  if (life.readers > 0 || life.fate === "letGo") return [life];
  if (!life.kept) return life.stage === "ended" ? [life, "drop"] : stopped(life, "stopUnread");
  return [life, life.fate === "recorded" ? "waitKept" : "waitGrace"];
}

/** Nobody is to have it. */
const dropped = (life: TurnLife): Step => (life.fate === "letGo" ? [life] : stopped({ ...life, fate: "letGo" }, "stopLetGo", "drop"));

/** @param told whether it was told to end: then whoever left is not waited for any longer. */
function whenEnded(life: TurnLife, told: boolean): Step {
  if (life.fate === "letGo") return [life, "drop"];
  if (life.byService) return life.readers > 0 ? recorded(life) : recorded(life, "waitKept");
  if (life.readers > 0) return [life];
  if (!life.kept) return [life, "drop"];
  return told ? recorded(life, "waitKept") : [life];
}

/** Told to end, once. */
function stopped(life: TurnLife, how: TurnDeed, ...then: TurnDeed[]): Step {
  return life.stage === "running" ? [{ ...life, stage: "stopping" }, how, ...then] : [life, ...then];
}

function recorded(life: TurnLife, ...then: TurnDeed[]): Step {
  return life.fate === "recorded" ? [life, ...then] : [{ ...life, fate: "recorded" }, "record", ...then];
}

/** Whether a turn only waits for somebody who may come back: it goes first when there is too much to hold. */
export const isIdle = ({ stage, readers, fate }: TurnLife): boolean => stage === "ended" && readers === 0 && fate === "recorded";
