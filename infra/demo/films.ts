import { readdir, readFile } from "node:fs/promises";
import { type HandmadeBoard, handmadeBoard } from "@colloquy/schemas/explainers/handmade.ts";

const folder = new URL("./films/", import.meta.url);

let films: Promise<HandmadeBoard[]> | undefined;

async function readFilms(): Promise<HandmadeBoard[]> {
  const { parse } = await import("yaml");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".yaml")).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), "utf8")));
  return texts.map((text) => handmadeBoard.parse(parse(text)));
}

/** The films of the demonstration courses that were written by hand. They are read on first use, so that no service starts later for them. */
export function demonstrationFilms(): Promise<HandmadeBoard[]> {
  films ??= readFilms();
  return films;
}
