import type { Emphasis } from "@colloquy/schemas/explainers/storyboard.ts";

/** What the demonstration model says of its own in a film, beside the course's words. */
export interface FilmWords {
  subtitles: Record<Emphasis, string>;
  /** Asked over the title, in at most three words: a title is read at a glance. */
  opens: Record<Emphasis, string>;
  /** Said over the closing question. */
  asks: Record<Emphasis, string>;
  /** The same where it asks for what is wrong. */
  asksForWrong: string;
  recap: string;
  prints: string;
  stated: string;
  proved: string;
  command: string;
  /** Of a pipeline: what goes along its arrows, and where it ends. */
  output: string;
  screen: string;
  next(program: string): string;
  /** Said over a table: its columns, then its rows. */
  table(columns: string, rows: string): string;
  and: string;
  explanation(said: string): string;
  recalled(heading: string): string;
  /** Which of some statements on something is true, or wrong. */
  statement(title: string, isTrue: boolean): string;
  /** Questions with choices as they begin elsewhere, and as a film asks them. */
  questions: readonly (readonly [RegExp, string])[];
}

const english: FilmWords = {
  subtitles: {
    intuition: "The idea behind it",
    "worked-example": "An example, step by step",
    "common-mistakes": "What goes wrong, and what is right",
    "exam-recap": "What to know by heart",
  },
  opens: {
    intuition: "What's the idea?",
    "worked-example": "Shall we try?",
    "common-mistakes": "What goes wrong?",
    "exam-recap": "What to remember?",
  },
  asks: {
    intuition: "Now you: which of these fits the idea?",
    "worked-example": "Your turn: which answer is right?",
    "common-mistakes": "Would you fall for it? Choose the right answer.",
    "exam-recap": "Without looking back: which answer is right?",
  },
  asksForWrong: "One of these is wrong. Which one?",
  recap: "What to keep",
  prints: "What it prints",
  stated: "What is stated",
  proved: "How it is proved",
  command: "The command",
  output: "output",
  screen: "Screen",
  table: (columns, rows) => `${columns}: ${rows}.`,
  and: "and",
  next: (program) => `then ${program}`,
  explanation: (said) => `The course says: “${said}”`,
  recalled: (heading) => `What did the video say of “${heading}”?`,
  statement: (title, isTrue) => `Which of these statements on “${title}” is ${isTrue ? "true" : "wrong"}?`,
  questions: [
    [/^Complete it as the course does:/, "How does it go on?"],
    [/^Which term does this describe\?/, "Which term does this describe?"],
  ],
};

const german: FilmWords = {
  subtitles: {
    intuition: "Die Idee dahinter",
    "worked-example": "Ein Beispiel, Schritt für Schritt",
    "common-mistakes": "Was schiefgeht, und was stimmt",
    "exam-recap": "Was man auswendig wissen muss",
  },
  opens: {
    intuition: "Was steckt dahinter?",
    "worked-example": "Wie geht das?",
    "common-mistakes": "Was geht schief?",
    "exam-recap": "Was bleibt?",
  },
  asks: {
    intuition: "Jetzt Sie: Was davon passt zur Idee?",
    "worked-example": "Jetzt Sie: Welche Antwort stimmt?",
    "common-mistakes": "Würden Sie darauf hereinfallen? Wählen Sie die richtige Antwort.",
    "exam-recap": "Ohne zurückzuschauen: Welche Antwort stimmt?",
  },
  asksForWrong: "Eine dieser Aussagen ist falsch. Welche?",
  recap: "Was bleiben soll",
  prints: "Was ausgegeben wird",
  stated: "Was behauptet wird",
  proved: "Wie es bewiesen wird",
  command: "Der Befehl",
  output: "Ausgabe",
  screen: "Bildschirm",
  table: (columns, rows) => `${columns}: ${rows}.`,
  and: "und",
  next: (program) => `dann ${program}`,
  explanation: (said) => `Im Kurs steht: „${said}“`,
  recalled: (heading) => `Was sagte das Video über „${heading}“?`,
  statement: (title, isTrue) => `Welche dieser Aussagen zu „${title}“ ist ${isTrue ? "wahr" : "falsch"}?`,
  questions: [
    [/^Complete it as the course does:/, "Wie geht es weiter?"],
    [/^Which term does this describe\?/, "Wovon gilt das?"],
    [/^Why is that so\?/, "Warum ist das so?"],
    [/^Which term does the course define this way\?/, "Welcher Begriff wird hier erklärt?"],
    [/^Which (?:word|code) belongs in the gap\?/, "Was gehört in die Lücke?"],
  ],
};

/** The model's own words in the language of a course, English where it has none of that language. */
export const filmWords = (language: string): FilmWords => (/^de\b/i.test(language) ? german : english);

export const isEnglish = (language: string): boolean => /^en\b/i.test(language);
