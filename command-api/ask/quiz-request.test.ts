import { expect } from "chai";
import { detectQuizRequest } from "./quiz-request.ts";

const wishes = `
/quiz
/quiz on pipes
  /quiz 10 questions about filters
Quiz me
Quiz me on pipes.
quiz me about eigenvectors
Please quiz me on the determinant
Can you quiz me on this page?
Could you please quiz me about redirection?
Would you quiz me on loops
I'd like you to quiz me on pipes
I want you to quiz me.
OK, now quiz me
Thanks! Quiz me on that.
I have read the page on pipes. Quiz me on it.
Test me on pipes
Test me
Please test my understanding
Test my understanding of eigenvectors.
I want to test my understanding of pipes
I’d like to test my knowledge of loops
Can you test my understanding of this topic?
Let's test my memory of the shell commands
Check my understanding of pipes with some questions
Make me a quiz
Make a short quiz about wildcards
Create a 10-question quiz on filters
Generate a multiple-choice quiz on linear maps
Give me a quick quiz
Give me another quiz, please
Let's do a quiz
Let's do another quiz on pipes
Can I have a quiz on this?
Can we do a quiz?
I want a quiz on kernels
I'd like another short quiz
I need a practice quiz for chapter two
Ask me five questions about pipes
Ask me some questions on the determinant
Could you ask me a few questions about loops?
Give me three practice questions
I'd like some practice questions please
I would love to get a few exam questions on loops
I need more practice questions
Could I have 3 test questions about pipes?
Some practice questions, please.
Ich hätte gern ein paar Übungsfragen
Give me 5 questions about eigenvectors
Write ten multiple-choice questions on filters
Another quiz
A short quiz on pipes, please
Quiz on redirection
Quiz, please
Quiz time!
Prüfe mein Verständnis
Prüfe bitte mein Verständnis von Eigenvektoren.
Bitte prüf mein Wissen über Pipes
Teste mich
Teste mich zu Schleifen
Teste mein Wissen
Frag mich zu Pipes ab
Bitte frage mich ab
Quizze mich über Filter
Mach mir ein Quiz
Erstelle ein kurzes Quiz zu Pipes
Gib mir noch ein Quiz
Ich möchte ein Quiz zu Eigenvektoren
Kannst du mich bitte abfragen?
Kannst du mein Verständnis testen?
Stell mir fünf Fragen zu Pipes
Quiz zu Schleifen, bitte`;

const mentions = `
What is a pipe?
What was in the quiz?
What does "quiz me" do?
How do I start a quiz here?
How can I test my understanding of pipes?
Where do I find the quiz?
Is there a quiz on this page?
Why did I fail the quiz?
My teacher will quiz me tomorrow on pipes. What should I know?
Explain pipes, then quiz me.
Don't quiz me, explain it.
Please don't quiz me
Never quiz me on this
Stop quizzing me
You quizzed me on pipes yesterday; what was question two?
I had a quiz on pipes today and did not understand question 3.
The quiz asked what a filter is. What is it?
A quiz on pipes was given yesterday, what was it about?
The last quiz was hard. Explain question two.
Write a quiz program in bash
Make a quiz app with loops
Create a quiz script that reads a file
How would you write a quiz in the shell?
Give me the quiz results
Quiz scores are stored where?
Explain the quiz answer about kernels
Testing my understanding: a pipe sends output to input, right?
The exercises test my understanding of loops. Which is hardest?
What does the test command do?
Test whether a file exists
How do I test a script?
Test my code, please
Test methods for linear independence
Check my understanding: a pipe joins two programs, right?
Is it true that quizzes help memory?
Why do quizzes work better than rereading?
What does retrieval practice say about quizzes and tests?
Do practice questions help?
I need help with practice question 3
I want quiz question 2 explained
I'd like to know why test questions help memory
I have two practice questions on pipes that I do not understand
Ask me if anything is unclear
Ask me questions if something is missing
I have a question about pipes
I have five questions about pipes
Answer my three questions about loops
Give me an example of a pipe
Give me a hint
Show me a table of commands
Make me understand eigenvectors
Set a variable in the shell
Create a short summary of this page
What is the difference between a quiz and an exam?
The word quiz has an unknown origin
My quiz on loops is tomorrow. Summarise loops.
He said “quiz me on pipes” and nothing came.
Run \`quiz me\` in the shell: what happens?
Do a regression on this
Try another explanation
Was ist eine Pipe?
Was war im Quiz?
Wie kann ich mein Verständnis prüfen?
Das Quiz war schwer. Erkläre Frage zwei.
Ich habe fünf Fragen zu Pipes
Frag mich nicht
Schreib ein Quiz-Programm in Bash
Mein Lehrer will mich morgen abfragen. Was muss ich wissen?`;

const lines = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

describe("detectQuizRequest", () => {
  for (const message of lines(wishes)) it(`is “${message}”`, () => expect(detectQuizRequest(message, false)).not.to.equal(null));
  for (const message of lines(mentions)) it(`is not “${message}”`, () => expect(detectQuizRequest(message, false)).to.equal(null));

  // [message, how many questions, about what]
  const details: [string, number, string][] = [
    ["/quiz", 5, ""],
    ["/quiz 12 on pipes and filters", 12, "pipes and filters"],
    ["/quiz 10 questions about filters", 10, "filters"],
    ["Quiz me on pipes.", 5, "pipes"],
    ["Quiz me with 20 questions about loops", 20, "loops"],
    ["Create a 10-question quiz on filters", 10, "filters"],
    ["Ask me five questions about pipes, please", 5, "pipes"],
    ["Give me 400 questions about eigenvectors", 20, "eigenvectors"],
    ["Ask me 0 questions about pipes", 1, "pipes"],
    ["I have read the page on pipes. Quiz me on it.", 5, "it. I have read the page on pipes"],
    ["Stell mir zwölf Fragen zu Pipes", 12, "Pipes"],
    ["Prüfe mein Verständnis", 5, ""],
  ];
  for (const [message, count, topic] of details)
    it(`“${message}”: ${count} about “${topic}”`, () => expect(detectQuizRequest(message, false)).to.deep.equal({ count, topic }));

  it("accepts any message with the command", () => {
    expect(detectQuizRequest("Eigenvectors", true)).to.deep.equal({ count: 5, topic: "Eigenvectors" });
  });

  it("takes bounded time for the longest messages", () => {
    for (const part of ["please ", "quiz ", "a short ", "ok, ", "test my ", "“", "ich möchte ", "10 "])
      detectQuizRequest(part.repeat(8_000 / part.length), false);
  });
});
