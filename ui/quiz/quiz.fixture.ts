import type { ChoiceQuestion, Quiz } from "@colloquy/schemas/quiz/quiz.ts";

/** A quiz with both kinds of questions, formulas, code, a table, and every character that an export must escape. */
export const sampleQuiz: Omit<Quiz, "questions"> & { questions: ChoiceQuestion[] } = {
  type: "quiz",
  quizId: "0192aa00-0000-7000-8000-000000000001",
  title: "Quiz: pipes & filters",
  questions: [
    {
      questionId: "0192aa00-0000-7000-8000-000000000011",
      kind: "single",
      prompt: "What does the shell do with `ls | wc -l`?\n\n```bash\n$ ls | wc -l\n```",
      choices: [
        { choiceId: "choice-11", text: "It connects the output of `ls` to the input of `wc`" },
        { choiceId: "choice-12", text: "It writes the output of `ls` to a file named `wc`" },
        { choiceId: "choice-13", text: "None of the above" },
      ],
      correct: ["choice-11"],
      explanation:
        'The vertical bar is a **pipe**: it tells the shell to use the output of the left command as the input of the right one. <script>alert("no")</script>',
      sourceIds: ["source-0001"],
    },
    {
      questionId: "0192aa00-0000-7000-8000-000000000012",
      kind: "multiple",
      prompt: "For $A v = \\lambda v$ with $v \\neq 0$, which are true of {λ}: the set ~of~ eigenvalues = spectrum # of A?",
      choices: [
        { choiceId: "choice-21", text: "$\\det(A - \\lambda I) = 0$" },
        { choiceId: "choice-22", text: "It keeps the direction of $v$, and 5 < 7 & a \\ b" },
        { choiceId: "choice-23", text: "%50% of $100 stay $5 -> or {less}" },
        { choiceId: "choice-24", text: "It is always positive:\n\n- first\n- second" },
      ],
      correct: ["choice-21", "choice-22"],
      explanation:
        'Because\n\n$$\\sum_i x_i^2 = \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}$$\n\n| a | b |\n|---|---|\n| 1 | `x"y` |\n\n> A quotation.\n\nSee [the page](/courses/maps/eigenvectors) or [elsewhere](javascript:alert(1)).',
      sourceIds: ["source-0002", "source-0001"],
    },
    {
      questionId: "0192aa00-0000-7000-8000-000000000013",
      kind: "multiple",
      prompt: "Which of these are filters?",
      choices: [
        { choiceId: "choice-31", text: "`sort`" },
        { choiceId: "choice-32", text: "`uniq`" },
        { choiceId: "choice-33", text: "`wc`" },
      ],
      correct: ["choice-31", "choice-32", "choice-33"],
      explanation: "All three read lines and write lines.",
      sourceIds: [],
    },
  ],
  sources: [
    {
      number: 1,
      sourceId: "source-0001",
      href: "/courses/shell/pipes#b1",
      title: "Pipes and Filters",
      trail: ["The Unix Shell"],
      revisionId: "revision-1",
      quote: "The vertical bar between the two commands is called a pipe.",
    },
    {
      number: 2,
      sourceId: "source-0002",
      href: "/courses/maps/eigenvectors#b2",
      title: "Eigenvectors <i>",
      trail: ["Linear maps"],
      revisionId: "revision-1",
      quote: "An eigenvector keeps its direction.",
    },
  ],
};
