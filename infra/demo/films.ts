import { readdirSync, readFileSync } from "node:fs";
import { type HandmadeBoard, handmadeBoard } from "@colloquy/schemas/explainers/handmade.ts";
import { parse } from "yaml";

const folder = new URL("./films/", import.meta.url);

/** The films of the demonstration courses that were written by hand. */
export const demonstrationFilms = (): HandmadeBoard[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .toSorted()
    .map((name) => handmadeBoard.parse(parse(readFileSync(new URL(name, folder), "utf8"))));
