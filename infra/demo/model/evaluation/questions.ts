/**
 * Questions over courses, written by hand, with what a good answer must hold. `set` keeps apart the questions the
 * model was tuned on from those that were only measured; "near" are questions of a course's subject that the course
 * itself does not answer, which are harder to refuse.
 */
export interface EvaluationQuestion {
  course: "shell" | "lean" | "linear-maps" | "learning-to-learn";
  question: string;
  /** Every pattern must be found in the answer; none at all means the course does not answer it. */
  must: RegExp[];
  set: "tuning" | "held-out" | "near";
}

const tuning =
  (course: EvaluationQuestion["course"]) =>
  (question: string, ...must: RegExp[]): EvaluationQuestion => ({ course, question, must, set: "tuning" });
const heldOut =
  (course: EvaluationQuestion["course"]) =>
  (question: string, ...must: RegExp[]): EvaluationQuestion => ({ course, question, must, set: "held-out" });

const near = (course: EvaluationQuestion["course"], ...questions: string[]): EvaluationQuestion[] =>
  questions.map((question) => ({ course, question, must: [], set: "near" }));

const shell = tuning("shell");
const lean = tuning("lean");
const maps = tuning("linear-maps");
const learning = tuning("learning-to-learn");
const shellHeld = heldOut("shell");
const leanHeld = heldOut("lean");
const mapsHeld = heldOut("linear-maps");
const learningHeld = heldOut("learning-to-learn");

export const evaluationQuestions: EvaluationQuestion[] = [
  shell("What is a pipe?", /\bpipe\b/i, /vertical bar|output.{0,80}(?:as|to) the input/i),
  shell("What is the shell?", /command.line interface|(?:program|environment).{0,80}(?:typed|commands)/i),
  shell("How do I count the lines in a file?", /`wc -l|wc.{0,40}lines/i),
  shell("How can I sort numbers numerically?", /`?sort -n|-n.{0,40}numer/i),
  shell("What is the difference between > and >>?", />>/, /append/i),
  shell("What does the -F option of ls do?", /classif|marker|trailing|slash/i),
  shell("How do I create a new directory?", /mkdir/),
  shell("How can I delete a directory and everything in it?", /rm -r|recursive/i),
  shell("Why is deleting with rm dangerous?", /trash|recover|forever|no undelete|unlinked/i),
  shell("What does .. mean?", /parent|above|one level up|directory containing/i),
  shell(
    "What is the difference between an absolute and a relative path?",
    /root|leading slash/i,
    /current|where we are|does not begin with/i,
  ),
  shell("How do I rename a file?", /\bmv\b/),
  shell("What is a wildcard?", /matches|\*/i),
  shell("What does the question mark wildcard match?", /exactly one|single character|one character/i),
  shell("How do I repeat a command for every file in a directory?", /\bfor\b.{0,60}(?:loop|in)|loop/i),
  shell("What does grep do?", /(?:finds?|selects?|search|prints).{0,60}(?:lines|pattern)/i),
  shell("How can I find files by name?", /find .{0,20}-name|-name/),
  shell("What does $1 mean in a script?", /first (?:filename|argument|parameter|\()|first/i),
  shell("Why should I put double quotes around arguments?", /spaces/i),
  shell("How do I get help on a command?", /--help|\bman\b/),
  lean("What is the Curry-Howard isomorphism?", /propositions.as.types|function(?:s)?.{0,80}implication|implication.{0,200}function/is),
  lean("What is a tactic?", /instructions|tell Lean|commands/i),
  lean("How do I prove a conjunction?", /And\.intro|⟨|anonymous constructor|proof of `+p/i),
  lean("What is the law of the excluded middle?", /p ∨ ¬|classical/i),
  lean("How does the rw tactic work?", /rewrit/i, /identit|equation|goal/i),
  lean("What is an inductive type?", /constructors?/i),
  lean("How are the natural numbers defined?", /zero/i, /succ/i),
  lean("What is the difference between Prop and Type?", /Prop/, /Sort 0|proof.irrelevan|Sort \(?u/i),
  lean("What are implicit arguments?", /curly|braces|\{|infer|left implicit|fill/i),
  lean("What does #check do?", /types?|report/i),
  lean("What is structural recursion?", /recursi/i, /constructor|smaller|subterm|argument/i),
  lean("What is a quotient?", /equivalence|relation|setoid/i),
  lean("How do I prove an existential statement?", /Exists\.intro|witness|⟨|suitable term/i),
  lean("What does the simp tactic do?", /simp/, /rewrit|simplif/i),
  maps("What is an eigenvector?", /direction|multiple|Av|lambda|stretch/i),
  maps("What does the determinant tell about area?", /area/i),
  maps("When is a matrix invertible?", /determinant is not zero|not zero|kernel/i),
  maps("Why does the order of composition matter?", /order|first|AB|BA|commut/i),
  learning("Why is recalling better than rereading?", /recall|retriev|testing/i),
  learning("What is working memory?", /hold in mind|four/i),

  shell("How do I write a for loop in JavaScript with promises?"),
  shell("What is the capital of France?"),
  shell("How do I install Docker?"),
  shell("What is a monad?"),
  shell("Who invented the telephone?"),
  shell("How do I train a neural network?"),
  lean("How do I bake sourdough bread?"),
  lean("What is the boiling point of water?"),
  lean("What did Shakespeare write about kings?"),
  lean("How does garbage collection work in Java?"),
  lean("Who won the world cup in 2018?"),
  maps("What is photosynthesis?"),
  maps("How do I configure nginx as a reverse proxy?"),
  learning("What is the price of bitcoin?"),
  learning("How do I solve a quadratic equation?"),
  learning("Explain the French revolution"),

  shellHeld("How do I copy a whole directory?", /cp -r/),
  shellHeld("What is a filter?", /transforms?|stream/i),
  shellHeld("How can I see my earlier commands?", /history/),
  shellHeld("What does the command pwd do?", /working directory|print/i),
  shellHeld("How do I stop a command that hangs?", /Ctrl/),
  shellHeld("How do I show only the first lines of a file?", /\bhead\b/),
  shellHeld("What is a shell script?", /file|commands/i, /script|program/i),
  leanHeld("What is a namespace?", /group|nested|hierarch/i),
  leanHeld("What is function extensionality?", /agree|all (?:of )?(?:their )?inputs|equal|funext/i),
  leanHeld("How do I introduce a hypothesis in tactic mode?", /\bintro\b/),
  leanHeld("What is a type class?", /class|instance|structure/i, /instance|ad.hoc|overload|synthes|polymorph/i),
  leanHeld("What is the calc keyword for?", /calculation|chain|steps/i),
  leanHeld("What does the axiom of choice say?", /choice/i, /nonempty|witness|element/i),
  mapsHeld("What is the kernel of a map?", /sent to|to zero|\b0\b|crush/i),
  mapsHeld("What are least squares for?", /equations|closest|best|error|residual/i),
  learningHeld("Why does spacing help?", /forget|gap|effort|interval|recall/i),
  shellHeld("How do I make a website with React?"),
  shellHeld("What is quantum entanglement?"),
  shellHeld("Which vitamins are in oranges?"),
  leanHeld("How do I change a car tyre?"),
  leanHeld("What is the population of Brazil?"),
  mapsHeld("How does a refrigerator work?"),
  learningHeld("What is the capital of Australia?"),
  learningHeld("How do I file my taxes?"),

  ...near(
    "shell",
    "How do I connect to a server with ssh?",
    "What does chmod do?",
    "How do I use awk to sum a column?",
    "What is a symbolic link?",
    "How do I schedule a job with cron?",
    "How do I compress a folder with tar?",
  ),
  ...near(
    "lean",
    "What is a monad transformer?",
    "What is homotopy type theory?",
    "How do I plot a function in Lean?",
    "What is the continuum hypothesis?",
  ),
  ...near(
    "linear-maps",
    "What is the LU decomposition?",
    "What is the Jordan normal form?",
    "What is a Fourier transform?",
    "What is a tensor product?",
  ),
  ...near(
    "learning-to-learn",
    "What is Bloom's taxonomy?",
    "What is the Pomodoro technique?",
    "How does caffeine affect attention?",
    "What did Piaget say about children?",
  ),
];
