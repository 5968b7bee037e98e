import { runOf, withoutPrompt } from "@colloquy/schemas/explainers/trace.ts";
import type { Passage } from "../segments.ts";
import { isCode, knownPrograms, namesIn, programsIn, prompt } from "./code-names.ts";
import { narrationsOf } from "./code-narration.ts";
import { announcesAnother, codeBefore } from "./goes-on.ts";
import { capital, isLabel, setInFormulas, trimmed } from "./labels.ts";
import type { Line } from "./lines.ts";
import type { Narration, Piece } from "./piece.ts";
import { titleOf } from "./points.ts";
import { type Candidate, candidate, placeOf, unread } from "./scene.ts";
import { sessionScenes } from "./sessions.ts";
import type { FilmWords } from "./words.ts";

/** Lines of code a scene can show; wider ones where the page says what is code, and of queries, which may be broken anywhere. */
const most = { lines: 9, width: 60, markedWidth: 72, queryWidth: 88 };

/** Headings of a lesson's story. */
const ofStory = /\bNelle|\b(?:exercise|solution)\b/i;

/** Scenes that show a whole piece of code and look at it step by step, and diagrams of the pipelines among them. */
export function codeScenes(lines: readonly Line[], passages: readonly Passage[], language: string, own: FilmWords): Candidate[] {
  return passages.flatMap((passage, index) => {
    const piece = isCode(passage) ? pieceOf(passage) : null;
    if (!piece) return [];
    const at = placeOf(passages, passage, 0);
    const narrations = narrationsOf(piece, index, lines, passages).filter(({ text }) => !announcesAnother(text, piece));
    const [said] = narrations;
    const run = saidOfRun(piece, index, lines, passages)
      .map((words) => traced(piece, words, at, { index, passages }))
      .find((one) => one !== null && unread(one) === 0);
    if (run) return [run];
    const sessions = sessionScenes(piece, index, narrations, passages);
    if (sessions.length > 0) return sessions;
    const output = piece.shell ? outputOf(passages[index + 1]) : null;
    const ofOutput = output && output.lines.length + piece.lines.length <= most.lines ? output : null;
    const showing = (code: readonly string[], printed: typeof output, words: Narration): Candidate => {
      const { text, quotes: ofSaid, says, names } = words;
      const all = [...code, ...(printed?.lines ?? [])];
      const quotes = [...ofSaid, { passage, quote: longest(code).slice(0, 300) }];
      return candidate({
        layout: "code",
        heading: piece.title,
        narration: text,
        at,
        says,
        names: names ?? [],
        after: codeBefore(words, index, passages),
        content: {
          language: piece.shell ? "bash" : passage.code?.language || language,
          code: [
            ...code.map((line) => (code.length < piece.lines.length || commentIn(line) ? withoutTrailingComment(line) : line)),
            ...all.slice(code.length),
          ].join("\n"),
          steps: stepsOf({ ...piece, lines: [...code] }, all, own),
        },
        quotes: [...quotes, ...(printed ? [{ passage: printed.passage, quote: longest(printed.lines) }] : [])]
          .filter(({ quote }) => quote.length >= 6)
          .slice(0, 4),
      });
    };
    const ways = narrations.flatMap((words) => [
      showing(piece.lines, ofOutput, words),
      ...endsFor(piece, words).map((end) => showing(end, null, words)),
    ]);
    const whole = ways.filter((one) => one.quotes.length > 0 && unread(one) === 0).slice(0, 3);
    if (!said || whole.length === 0) return [];
    const pipe = pipeline(piece, said, at, own);
    const grown = growingPipeline(piece, said, at, passages.slice(0, index), own);
    return [...(grown ? [grown] : whole), ...(pipe ? [pipe] : [])];
  });
}

/** What is said of a piece of code holds of its end where that has all that is named. */
const endsFor = ({ lines }: Piece, { names }: Narration): string[][] =>
  names === null ? [] : lastParagraphs(lines).filter((end) => names.every((name) => namesIn(end.join(" ")).has(name)));

function pieceOf(passage: Passage): Piece | null {
  const all = passage.text.replace(/\s+$/, "").split("\n");
  const named = all[0] === passage.title && all.length > 1;
  const lines = (named ? all.slice(1) : all).map(withoutRemark);
  while (lines[0] === "") lines.shift();
  // A prompt with nothing typed is nothing to look at.
  if (lines.some((line) => line.trim() === "$") || lines.some((line, at) => line === "" && lines[at + 1] === "")) return null;
  const shell = lines.some((line) => prompt.test(line));
  const width = passage.code?.language === "sql" ? most.queryWidth : passage.code ? most.markedWidth : most.width;
  const unfit = lines.length === 0 || lines.length > most.lines || lines.some((line) => line.length > width || /\t/.test(line));
  if (unfit || (shell && !prompt.test(lines[0] ?? "")) || lines.join("").length < 6) return null;
  // What a program printed is no code.
  if (passage.code ? passage.code.isPrinted : !shell && !named && !lines.some((line) => codeSigns.test(line))) return null;
  if (isIncomplete(lines) || setInFormulas.test(lines.join("")) || ofStory.test(passage.title)) return null;
  return { passage, lines, shell, named, title: titleOf(passage) };
}

/** A line that is too wide is shown without the remark at its end. */
const withoutRemark = (line: string): string => (line.length <= most.width ? line.trimEnd() : line.replace(remark, "").trimEnd());

/** A line without the remark at its end: it stands beside it as the label of its step, or there is too much to read. */
const withoutTrailingComment = (line: string): string => (/^\s*[^\s#/-]/.test(line) ? line.replace(remark, "").trimEnd() : line);
const remark = /\s+(?:#|--|\/\/)\s.*$/;

/** Last paragraphs, the longest stretch first: what can be shown of code that is too much to be read at once. It ends as the code does. */
const lastParagraphs = (lines: readonly string[]): string[][] =>
  lines
    .flatMap((line, index) => (line === "" ? [lines.slice(index + 1)] : []))
    .filter((end) => end.length > 1 && !isIncomplete(end) && !end.every((line) => /^\s*(?:$|print\b)/.test(line)));

const codeSigns =
  /^(?:#|example|theorem|def|variable|inductive|structure|instance|import|from|for|class|open|abbrev|namespace|let|const|function|while|if|print)\b|:=|[=(]\S|^#(?:check|eval|print|reduce)/;

/** Whether brackets are left open, or the last line announces another. */
function isIncomplete(lines: readonly string[]): boolean {
  const text = lines.join("\n").replace(/--.*$|#(?!check|eval|print|reduce).*$/gm, "");
  const count = (sign: string) => text.split(sign).length;
  return (
    count("(") !== count(")") ||
    count("[") !== count("]") ||
    count("{") !== count("}") ||
    /(?::=|=>|\|>|%>%|<-|\bby|[,+=|\\])\s*$/.test(text.trimEnd())
  );
}

/** What a shell printed, when it is short. */
function outputOf(passage: Passage | undefined): { passage: Passage; lines: string[] } | null {
  if (!passage || !isCode(passage) || prompt.test(passage.text) || passage.code?.isPrinted === false) return null;
  const lines = passage.text.replace(/\s+$/, "").split("\n");
  return lines.length <= 4 && !lines.includes("$") && lines.every((line) => line.length <= most.width && !/\t/.test(line))
    ? { passage, lines }
    : null;
}

const longest = (lines: readonly string[]): string => lines.map((line) => line.trim()).toSorted((a, b) => b.length - a.length)[0] ?? "";

/** Statements, one step each, with what their comment says. */
function stepsOf({ lines, shell }: Piece, shown: readonly string[], own: FilmWords): { from: number; to: number; label: string }[] {
  const steps: { from: number; to: number; label: string }[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const last = steps.at(-1);
    const comment = commentIn(line);
    const continues = last !== undefined && index === last.to && (/^\s/.test(line) || /^\s*(?:#|--)\s/.test(lines[index - 1] ?? ""));
    if (continues) {
      last.to = index + 1;
      if (!last.label && comment) last.label = comment;
    } else steps.push({ from: index + 1, to: index + 1, label: comment });
  }
  const output = shown.length > lines.length ? [{ from: lines.length + 1, to: shown.length, label: own.prints }] : [];
  const kept = steps.filter(({ from }) => !/^\s*(?:import|from)\b/.test(lines[from - 1] ?? ""));
  const [only] = kept;
  const proof = kept.length === 1 && only ? lines.findIndex((line) => /(?::=(?: by)?|\bby|=>)$/.test(line.trimEnd())) + 1 : 0;
  if (only && proof > 0 && proof < lines.length && /^\s*(?:theorem|example|lemma)\b/.test(lines[only.from - 1] ?? ""))
    return [
      { from: only.from, to: proof, label: own.stated },
      { from: proof + 1, to: lines.length, label: own.proved },
    ];
  const room = 5 - output.length;
  const chosen =
    kept.length <= room ? kept : [...kept.slice(0, room - 1), { from: kept[room - 1]?.from ?? 1, to: lines.length, label: "" }];
  if (shell && chosen.length === 1 && output.length > 0 && chosen[0]) chosen[0].label ||= own.command;
  return [...(chosen.length > 0 ? chosen : [{ from: 1, to: lines.length, label: "" }]), ...output];
}

function commentIn(line: string): string {
  const text = /(?:^|\s)(?:#|--|\/\/)\s+(\S.*)$/.exec(line)?.[1]?.trim() ?? "";
  const plain = text && !/^[[\d(]/.test(text) ? text.replace(/[.;]$/, "") : "";
  const first = plain.split(/[;:]/)[0] ?? "";
  return isLabel(plain, 1) ? capital(plain) : isLabel(first, 1) ? capital(first) : (trimmed(plain) ?? "");
}

/** `a | b | c`: what goes from where to where. */
function pipeline({ lines, shell, passage, title }: Piece, said: Narration, at: number, own: FilmWords): Candidate | null {
  const line = lines.find((one) => one.split(" | ").length >= 3);
  if (!shell || !line) return null;
  const commands = line
    .replace(/^\s*\$ /, "")
    .split(" | ")
    .map((command) => command.trim());
  if (commands.length > 5 || commands.some((command) => command.length > 40)) return null;
  const nodes = [...commands, own.screen].map((label, index) => ({ key: `n${index + 1}`, label, cue: "" }));
  const redirect = / > (\S+)$/.exec(commands.at(-1) ?? "");
  if (redirect) nodes.splice(-1, 1);
  return candidate({
    layout: "diagram",
    heading: title,
    narration: said.text,
    at: at + 1,
    says: said.says,
    content: {
      diagram: "flow",
      nodes,
      edges: nodes.slice(1).map(({ key }, index) => ({ from: `n${index + 1}`, to: key, label: own.output, cue: "", quote: "" })),
    },
    quotes: [...said.quotes, { passage, quote: line.trim() }],
  });
}

/** A pipeline as it grows: the commands before it that it goes on with, one step each. */
function growingPipeline(
  { lines, shell, passage, title }: Piece,
  said: Narration,
  at: number,
  before: readonly Passage[],
  own: FilmWords,
): Candidate | null {
  const [line = ""] = lines;
  if (!shell || lines.length > 1 || !line.includes(" | ")) return null;
  const earlier = before.flatMap((one) => {
    const [first = "", ...more] = isCode(one) ? one.text.trimEnd().split("\n") : [""];
    return more.length === 0 && prompt.test(first) && line.startsWith(`${first.trim()} |`) ? [{ passage: one, line: first.trim() }] : [];
  });
  const steps = earlier.filter(({ line: text }, index) => earlier.findIndex((other) => other.line === text) === index).slice(-3);
  if (steps.length === 0 || line.length > most.width) return null;
  const shown = [...steps, { passage, line: line.trim() }];
  const quotes = [...said.quotes, ...shown.toReversed().map((step) => ({ passage: step.passage, quote: step.line }))];
  const names = shown.map(({ line: text }) => programsIn(text).at(-1) ?? "");
  return candidate({
    layout: "code",
    heading: title,
    narration: said.text,
    at,
    says: said.says,
    quotes: quotes.slice(0, 4),
    content: {
      language: "bash",
      code: shown
        .slice(-(4 - said.quotes.length))
        .map(({ line: text }) => text)
        .join("\n"),
      steps: names
        .slice(-(4 - said.quotes.length))
        .map((name, index) => ({ from: index + 1, to: index + 1, label: index === 0 ? name : own.next(name) })),
    },
  });
}

/** Sentences of the section that name commands of a pipeline and no other, those first that name most; of a loop those beside it. */
function saidOfRun(piece: Piece, index: number, lines: readonly Line[], passages: readonly Passage[]): Narration[] {
  const known = knownPrograms(passages);
  const own = new Set(piece.lines.flatMap((line) => (prompt.test(line) ? programsIn(line) : [])));
  const isLoop = own.has("for");
  return lines
    .filter(({ passage }) => passage.title === piece.passage.title && Math.abs(passages.indexOf(passage) - index) <= 8)
    .map((line) => {
      const named = [...namesIn(line.quote)].map((name) => name.replace(/\.$/, "")).filter((name) => known.has(name));
      const isLike = isLoop
        ? /\b(?:loops?|variable|iteration)\b/i.test(line.quote) && !/\b(?:first|second|third|last|previous)\b/i.test(line.quote)
        : named.length > 0 && named.every((name) => own.has(name));
      return { line, isLike, worth: named.length - Math.abs(passages.indexOf(line.passage) - index) * 0.1 };
    })
    .filter(({ isLike, line }) => isLike && line.words >= 10)
    .toSorted((a, b) => b.worth - a.worth)
    .map(({ line }) => ({ text: line.said, quotes: [{ passage: line.passage, quote: line.quote }], says: [line.fact.text], names: null }));
}

/** What a command prints alone: the block that follows it. */
function printedBy(command: string, passages: readonly Passage[]): Passage | undefined {
  const index = passages.findIndex((one, at) => {
    const last = isCode(one) ? (one.text.trimEnd().split("\n").at(-1) ?? "") : "";
    const next = passages[at + 1];
    return prompt.test(last) && withoutPrompt(last).trim() === command && next !== undefined && isCode(next) && !prompt.test(next.text);
  });
  return index < 0 ? undefined : passages[index + 1];
}

/** A pipeline or a loop of a shell that can be computed: what it prints is the block that follows. */
function traced(
  { lines, shell, passage, title }: Piece,
  said: Narration,
  at: number,
  { index, passages }: { index: number; passages: readonly Passage[] },
): Candidate | null {
  if (!shell) return null;
  const next = passages[index + 1];
  const printed = next && isCode(next) && !prompt.test(next.text) ? next : undefined;
  const [first = "", ...more] = lines;
  const start = more.length === 0 ? printedBy(withoutPrompt(first.split("|")[0] ?? "").trim(), passages) : undefined;
  const textOf = (one: Passage | undefined): string => one?.text.trimEnd() ?? "";
  const content = { code: lines.join("\n"), start: textOf(start), printed: textOf(printed) };
  if (!/^(?:pipeline|loop)$/.test(runOf({ heading: title, ...content }).kind)) return null;
  const shown = [passage, start, printed].filter((one) => one !== undefined);
  const quotes = [
    ...said.quotes.slice(0, 1),
    ...shown.map((one) => ({ passage: one, quote: longest(textOf(one).split("\n")).slice(0, 300) })),
  ];
  return candidate({ layout: "trace", heading: title, narration: said.text, at, says: said.says, content, quotes });
}
