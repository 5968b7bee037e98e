import type { Emphasis } from "@colloquy/schemas/explainers/storyboard.ts";

/** What the demonstration model says of its own in a film, beside the course's words. */
export interface FilmWords {
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
  printedBy(command: string): string;
  printed(command: string, output: string): string;
  /** Which code printed a line. */
  printing(output: string): string;
  /** Which kind of error says something. */
  errorSaying(message: string): string;
  errorSaid(name: string, message: string): string;
  /** A sentence with a gap for a command. */
  commandGap(text: string): string;
  /** A sentence whose names of code are left out: which line is meant. */
  lineOf(text: string): string;
  /** A sentence with a gap for a name of code. */
  nameGap(text: string): string;
  /** Which of some statements on something is true, or wrong. */
  statement(title: string, isTrue: boolean): string;
  /** Questions with choices as they begin elsewhere, and as a film asks them. */
  questions: readonly (readonly [RegExp, string])[];
  /** Why no video is drawn up. */
  refusals: {
    noOpening: string;
    tooFew: string;
    list: string;
    noPicture: string;
    noExample: string;
    noMistake: string;
    noKeyPoints: string;
    noQuestion: string;
    /** Another emphasis shows nearly all of it. */
    same: string;
    /** What the page has enough for. */
    instead(emphases: readonly Emphasis[]): string;
  };
}

const englishNames: Record<Emphasis, string> = {
  intuition: "Intuition",
  "worked-example": "Worked example",
  "common-mistakes": "Common mistakes",
  "exam-recap": "Exam recap",
};
const germanNames: Record<Emphasis, string> = {
  intuition: "Anschauung",
  "worked-example": "Durchgerechnetes Beispiel",
  "common-mistakes": "Häufige Fehler",
  "exam-recap": "Wiederholung zur Prüfung",
};

const english: FilmWords = {
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
  printedBy: (command) => `What does this print: ${command}`,
  printed: (command, output) => `On the page, ${command} prints: ${output}`,
  printing: (output) => `What printed this: ${output}`,
  errorSaying: (message) => `Which error says this: ${message}`,
  errorSaid: (name, message) => `On the page, the message is ${name}: ${message}`,
  commandGap: (text) => `Which command belongs in the gap? “${text}”`,
  lineOf: (text) => `Which line is this about? “${text}”`,
  nameGap: (text) => `Which name belongs in the gap? “${text}”`,
  recalled: (heading) => `What did the video say of “${heading}”?`,
  statement: (title, isTrue) => `Which of these statements on “${title}” is ${isTrue ? "true" : "wrong"}?`,
  questions: [
    [/^Complete it as the course does:/, "How does it go on?"],
    [/^Which term does this describe\?/, "Which term does this describe?"],
  ],
  refusals: {
    noOpening: "No sentence of this page says by itself what it is about.",
    tooFew: "This page has too little that can be shown and explained in a sentence.",
    list: "This page has too little to show: a video of it would be a list of sentences.",
    noPicture: "This page has no picture, diagram or table that shows the idea.",
    noExample: "This page works no example through that can be shown.",
    noMistake: "This page has no mistake that can be shown with its correction.",
    noKeyPoints: "None of this page’s key points can be gone over in a video.",
    noQuestion: "No question with plausible choices can be made from this page.",
    same: "For this emphasis, the page has too little that another video of it does not show.",
    instead: (emphases) => `Choose ${emphases.map((one) => `“${englishNames[one]}”`).join(" or ")} instead: the page has enough for that.`,
  },
};

const german: FilmWords = {
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
  printedBy: (command) => `Was gibt das aus: ${command}`,
  printed: (command, output) => `Auf der Seite gibt ${command} aus: ${output}`,
  printing: (output) => `Was hat das ausgegeben: ${output}`,
  errorSaying: (message) => `Welcher Fehler sagt das: ${message}`,
  errorSaid: (name, message) => `Auf der Seite lautet die Meldung ${name}: ${message}`,
  commandGap: (text) => `Welcher Befehl gehört in die Lücke? „${text}“`,
  lineOf: (text) => `Von welcher Zeile ist die Rede? „${text}“`,
  nameGap: (text) => `Welcher Name gehört in die Lücke? „${text}“`,
  recalled: (heading) => `Was sagte das Video über „${heading}“?`,
  statement: (title, isTrue) => `Welche dieser Aussagen zu „${title}“ ist ${isTrue ? "wahr" : "falsch"}?`,
  questions: [
    [/^Complete it as the course does:/, "Wie geht es weiter?"],
    [/^Which term does this describe\?/, "Wovon gilt das?"],
    [/^Why is that so\?/, "Warum ist das so?"],
    [/^Which term does the course define this way\?/, "Welcher Begriff wird hier erklärt?"],
  ],
  refusals: {
    noOpening: "Kein Satz dieser Seite sagt für sich allein, worum es geht.",
    tooFew: "Diese Seite hat zu wenig, was sich zeigen und in einem Satz erklären lässt.",
    list: "Diese Seite hat zu wenig zu zeigen: Ein Video wäre eine Liste von Sätzen.",
    noPicture: "Diese Seite hat kein Bild, kein Diagramm und keine Tabelle, die die Idee zeigen.",
    noExample: "Diese Seite rechnet kein Beispiel vor, das sich zeigen lässt.",
    noMistake: "Diese Seite hat keinen Fehler, der sich mit seiner Berichtigung zeigen lässt.",
    noKeyPoints: "Keinen der Merksätze dieser Seite kann ein Video wiederholen.",
    noQuestion: "Aus dieser Seite lässt sich keine Frage mit glaubhaften Antworten bilden.",
    same: "Für diesen Schwerpunkt hat die Seite zu wenig, was ein anderes Video von ihr nicht zeigt.",
    instead: (emphases) =>
      `Wählen Sie stattdessen ${emphases.map((one) => `„${germanNames[one]}“`).join(" oder ")}: Dafür reicht die Seite.`,
  },
};

/** The model's own words in the language of a course, English where it has none of that language. */
export const filmWords = (language: string): FilmWords => (/^de\b/i.test(language) ? german : english);

export const isEnglish = (language: string): boolean => /^en\b/i.test(language);
