import { filmBounds } from "../film-bounds.ts";
import { type RenderStage, renderStages } from "./render.ts";

/** Sent by a worker with a finished video: the duration of each stage in milliseconds (`drawing=5210,encoding=830`). */
export const stagesHeader = "x-render-stages";

export interface StageTime {
  stage: RenderStage;
  milliseconds: number;
}

export const writeStages = (stages: readonly StageTime[]): string =>
  stages.map(({ stage, milliseconds }) => `${stage}=${Math.round(milliseconds)}`).join(",");

/** The valid part of the header: known stages, each once, with possible times. */
export function readStages(text: string): StageTime[] {
  const told = text.split(",", renderStages.length);
  return renderStages.flatMap((stage) => {
    const entry = told.find((one) => one.startsWith(`${stage}=`));
    const time = entry?.slice(stage.length + 1) ?? "";
    return /^\d{1,9}$/.test(time) ? { stage, milliseconds: Math.min(Number(time), filmBounds.render.ms) } : [];
  });
}
