import { bounds } from "../bounds.ts";
import { type RenderStage, renderStages } from "./render.ts";

/** Sent by a worker with a film it has made: how long each stage took, in milliseconds (`drawing=5210,encoding=830`). */
export const stagesHeader = "x-render-stages";

export interface StageTime {
  stage: RenderStage;
  milliseconds: number;
}

export const writeStages = (stages: readonly StageTime[]): string =>
  stages.map(({ stage, milliseconds }) => `${stage}=${Math.round(milliseconds)}`).join(",");

/** What can be read of the header, whoever wrote it: known stages, each once, and times that a render can have. */
export function readStages(text: string): StageTime[] {
  const told = text.split(",", renderStages.length);
  return renderStages.flatMap((stage) => {
    const entry = told.find((one) => one.startsWith(`${stage}=`));
    const time = entry?.slice(stage.length + 1) ?? "";
    return /^\d{1,9}$/.test(time) ? { stage, milliseconds: Math.min(Number(time), bounds.explainer.render.ms) } : [];
  });
}
