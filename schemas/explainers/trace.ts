import type { SceneContent } from "./storyboard.ts";

type Trace = SceneContent<"trace">;

/** A line of data; `from`: its place in the data of the stage before, unchanged; null where it is new. */
interface DataLine {
  text: string;
  from: number | null;
}
/** A command of a pipeline, and what it prints. */
export interface PipelineStage {
  command: string;
  lines: readonly DataLine[];
}
/** A line of code that is executed; `value`: what the variable is from then on; `prints`: what it adds to the output. */
export interface LoopStep {
  line: number;
  iteration: number;
  value: string;
  prints: readonly string[];
}
/** A statement that is executed, by its first and last line, and what the page prints for it. */
export interface SessionStep {
  from: number;
  to: number;
  prints: readonly string[];
}
export type Run =
  | { kind: "pipeline"; stages: readonly PipelineStage[] }
  | { kind: "session"; steps: readonly SessionStep[] }
  | { kind: "loop"; variable: string; steps: readonly LoopStep[] }
  | { kind: "unknown"; problem: string };

const unknown = (problem: string): Run => ({ kind: "unknown", problem });
const spaced = (text: string): string => text.trim().replace(/\s+/g, " ");
const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

/** A line of code without what a shell asks with. */
export const withoutPrompt = (line: string): string => line.replace(/^\s*[$>] ?/, "");
/** The programs that a line of a shell runs. Pure. */
export const programsOf = (line: string): string[] =>
  withoutPrompt(line)
    .split("|")
    .flatMap((part) => part.trim().split(/\s+/)[0] ?? []);

/** The commands of a pipeline, and the file that the last writes to. */
function pipelineIn(line: string): { commands: string[]; file: string | null } | null {
  const bare = withoutPrompt(line).trim();
  if (/["'`;&<]|>>|\|\|/.test(bare)) return null;
  const file = / > (\S+)$/.exec(bare)?.[1] ?? null;
  const commands = bare
    .replace(/ > \S+$/, "")
    .split("|")
    .map((part) => part.trim());
  return commands.some((command) => command === "" || command.includes(">")) ? null : { commands, file };
}

const kept = (lines: readonly string[], places: readonly number[]): DataLine[] =>
  places.map((place) => ({ text: lines[place] ?? "", from: place }));
const numberAt = (line: string): number => Number(/^\s*-?\d+(?:\.\d+)?/.exec(line)?.[0] ?? 0);
const compared = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** What a filter makes of lines; null for one that is not known well enough to be computed. */
function filtered(command: string, lines: readonly string[]): DataLine[] | null {
  const [program = "", ...words] = command.split(/\s+/);
  const given = words.join(" ");
  const all = lines.map((_, place) => place);
  // Without a sign before it the number would be a file, and -n -1 is all but the last.
  const count = /^(?:-n ?|-)(\d+)$/.exec(given)?.[1];
  switch (program) {
    case "head":
      return count === undefined ? null : kept(lines, all.slice(0, Number(count)));
    case "tail":
      return count === undefined ? null : kept(lines, all.slice(Math.max(0, all.length - Number(count))));
    case "sort": {
      if (!/^(?:-[nr]{1,2})?(?: -[nr])?$/.test(given)) return null;
      const byNumber = (a: number, b: number) => numberAt(lines[a] ?? "") - numberAt(lines[b] ?? "");
      const byText = (a: number, b: number) => compared(lines[a] ?? "", lines[b] ?? "");
      const sorted = all.toSorted((a, b) => (given.includes("n") && byNumber(a, b)) || byText(a, b));
      return kept(lines, given.includes("r") ? sorted.toReversed() : sorted);
    }
    case "uniq":
      return given === ""
        ? kept(
            lines,
            all.filter((place) => place === 0 || lines[place] !== lines[place - 1]),
          )
        : null;
    case "cat":
      return given === "" ? kept(lines, all) : null;
    case "grep": {
      const [, option = "", word] = /^(-[iv] )?([\p{L}\p{N}_]+)$/u.exec(given) ?? [];
      if (word === undefined) return null;
      const fold = (text: string) => (option === "-i " ? text.toLowerCase() : text);
      return kept(
        lines,
        all.filter((place) => fold(lines[place] ?? "").includes(fold(word)) !== (option === "-v ")),
      );
    }
    case "wc":
      return given === "-l" ? [{ text: String(lines.length), from: null }] : null;
    case "cut": {
      const [, by, field] = /^-d (\S) -f (\d+)$/.exec(given) ?? [];
      if (by === undefined) return null;
      return lines.map((line) => ({ text: line.includes(by) ? (line.split(by)[Number(field) - 1] ?? "") : line, from: null }));
    }
    default:
      return null;
  }
}

const sameLines = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, index) => spaced(line) === spaced(other[index] ?? ""));

function runPipeline({ commands, file }: { commands: string[]; file: string | null }, { start, printed }: Trace): Run {
  const [first = "", ...filters] = commands;
  if (filters.length === 0) return unknown("One command is no pipeline.");
  const begin = linesOf(start);
  if (begin.length === 0) return unknown(`Nothing says what “${first}” prints.`);
  const stages: PipelineStage[] = [{ command: first, lines: begin.map((text) => ({ text, from: null })) }];
  for (const command of filters) {
    const before = (stages.at(-1)?.lines ?? []).map(({ text }) => text);
    const lines = filtered(command, before);
    if (!lines) return unknown(`What “${command}” makes of its input cannot be computed.`);
    // Only the course's own output tells in which order a shell sorts words.
    if (/^sort(?! -[nr]*n)/.test(command) && file !== null) return unknown(`The order of “${command}” depends on the machine.`);
    stages.push({ command, lines });
  }
  const last = (stages.at(-1)?.lines ?? []).map(({ text }) => text);
  if (last.length === 0) return unknown("The pipeline prints nothing.");
  if (file === null && !sameLines(last, linesOf(printed))) return unknown("What the pipeline prints is not what was computed.");
  if (file !== null && printed !== "") return unknown("What goes into a file is not printed.");
  return { kind: "pipeline", stages };
}

/** How many lines a line in a loop prints, or which; null where it cannot be known. */
function printsOf(body: string, variable: string, value: string): { texts: string[] } | { count: number } | null {
  const text = body
    .trim()
    .replaceAll(`\${${variable}}`, value)
    .replaceAll(`$${variable}`, value)
    .replace(/\s+#.*$/, "");
  if (/\s>>?\s/.test(text) || /^(?:cp|mv|rm|mkdir|touch)\s/.test(text)) return { count: 0 };
  const commands = text.split("|").map((part) => part.trim());
  const said = /^(?:echo|ls) ("?)([^"|*?$;`-][^"|*?$;`]*)\1$/.exec(text);
  if (said) return { texts: [said[2] ?? ""] };
  const count = /^(?:head|tail) -n (\d+)(?: \S+)?$/.exec(commands.at(-1) ?? "")?.[1];
  return count === undefined ? null : { count: Number(count) };
}

function runLoop(code: readonly string[], printed: readonly string[]): Run {
  const bare = code.map((line) => withoutPrompt(line).trim());
  const [, variable = "", list = ""] = /^for (\w+) in (.+)$/.exec(bare[0] ?? "") ?? [];
  const end = bare.indexOf("done");
  if (variable === "" || bare[1] !== "do" || end < 3 || bare.slice(end + 1).some(Boolean)) return unknown("This is no loop that is known.");
  if (/[*?$`"']/.test(list)) return unknown("Which values the loop goes through is not written in it.");
  const steps: LoopStep[] = [];
  let at = 0;
  for (const [iteration, value] of list.trim().split(/\s+/).entries()) {
    steps.push({ line: 0, iteration, value, prints: [] });
    for (let line = 2; line < end; line += 1) {
      const prints = printsOf(bare[line] ?? "", variable, value);
      if (!prints) return unknown(`What “${bare[line]}” prints cannot be known.`);
      const count = "texts" in prints ? prints.texts.length : prints.count;
      const own = printed.slice(at, at + count);
      if ("texts" in prints && !sameLines(own, prints.texts)) return unknown("What the loop prints is not what was computed.");
      steps.push({ line, iteration, value, prints: own });
      at += count;
    }
  }
  if (at !== printed.length || at === 0) return unknown("What the loop prints is not what was computed.");
  return { kind: "loop", variable, steps };
}

/** A line that only says that lines are left out. */
export const ellipsis = "…";
const opensStatement = /^(?!>|(?:else|elif|except|finally)\b|[)\]}])\S/;
const isSql = (code: readonly string[]): boolean => /^\s*(?:select|insert|update|delete|create|drop|alter|with)\b/i.test(code[0] ?? "");

/** The lines of each statement, counted from 0; comments and empty lines belong to the statement below them. */
function statementsIn(code: readonly string[]): { from: number; to: number }[] {
  const found: { from: number; to: number; depth: number; isOpen: boolean }[] = [];
  code.forEach((line, index) => {
    const last = found.at(-1);
    const isNote = /^\s*(?:#(?!\p{L})|--)|^\s*$/u.test(line);
    const begins =
      !last || (!last.isOpen && (isSql(code) ? /;\s*$/.test(code[last.to] ?? "") : last.depth <= 0 && opensStatement.test(line)));
    const depth = isNote ? 0 : (line.match(/[([{]/g)?.length ?? 0) - (line.match(/[)\]}]/g)?.length ?? 0);
    if (begins) found.push({ from: index, to: index, depth, isOpen: isNote });
    else if (last) Object.assign(last, { to: index, depth: last.depth + depth, isOpen: last.isOpen && isNote });
  });
  return found.map(({ from, to }) => ({ from, to }));
}

/** Statements one after the other, and what the page prints for them: line by line where each line is one that a statement prints, else at the end. */
function runSession(code: readonly string[], printed: readonly string[]): Run {
  if (printed.every((line) => line.trim() === ellipsis)) return unknown("Nothing says what the code prints.");
  const statements = statementsIn(code);
  const texts = statements.map(({ from, to }) => (from === to ? (code[from] ?? "") : null));
  const isPrint = (text: string | null): boolean => text !== null && /^print\s*\(.+\)$/.test(text);
  const isSilent = (text: string | null): boolean => text !== null && /^(?:import |from |[\w.]+(?:\[[^\]]*\])? (?:=|<-) )/.test(text);
  const inTurn =
    texts.filter(isPrint).length === printed.length &&
    !printed.includes(ellipsis) &&
    texts.every((text) => isPrint(text) || isSilent(text));
  let at = 0;
  return {
    kind: "session",
    steps: statements.map((lines, index) => {
      if (!inTurn) return { ...lines, prints: index === statements.length - 1 ? printed : [] };
      return { ...lines, prints: isPrint(texts[index] ?? null) ? printed.slice(at, ++at) : [] };
    }),
  };
}

/**
 * What happens when the code of a scene is run. A pipeline and a loop are computed and compared with what the course says is printed; of
 * other code its statements are gone through, with what the course prints. Pure.
 */
export function runOf(trace: Trace): Run {
  const code = linesOf(trace.code);
  const printed = linesOf(trace.printed);
  if (/^\s*for\b/.test(withoutPrompt(code[0] ?? "")) && code.some((line) => withoutPrompt(line).trim() === "do"))
    return runLoop(code, printed);
  const [line = "", ...more] = code;
  const pipeline = more.length === 0 ? pipelineIn(line) : null;
  if (pipeline && (pipeline.commands.length > 1 || trace.start !== "")) return runPipeline(pipeline, trace);
  return trace.start === "" ? runSession(code, printed) : unknown("Only a pipeline begins with what its first command prints.");
}
