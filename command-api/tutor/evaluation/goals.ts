/**
 * Goals in a learner's words, written before their objectives were selected by the program. `wanted`: what answers the goal; `needed`: what
 * may come before it. Everything else is beside the goal. Those that are held out were not looked at while the selection was made.
 */
export interface Goal {
  course: "linear-maps" | "learning-to-learn";
  goal: string;
  wanted: readonly string[];
  needed: readonly string[];
  heldOut?: true;
}

const vectors = ["obj-add-and-scale", "obj-linear-combination", "obj-basis"];
const maps = ["obj-linearity", "obj-matrix-columns", "obj-matrix-vector"];
const composition = ["obj-compose", "obj-order", "obj-inverse"];
const kernel = ["obj-kernel", "obj-image-rank", "obj-rank-nullity"];
const determinant = ["obj-det-area", "obj-det-compute", "obj-det-invertible"];
const bases = ["obj-translate-coordinates", "obj-similar-matrices"];
const eigen = ["obj-eigen-definition", "obj-characteristic", "obj-eigen-space"];
const diagonal = ["obj-diagonalise", "obj-powers", "obj-not-diagonalisable"];

export const goals: readonly Goal[] = [
  { course: "linear-maps", goal: "Understand determinants", wanted: determinant, needed: [...vectors, ...maps, ...composition] },
  {
    course: "linear-maps",
    goal: "I want to understand eigenvectors",
    wanted: eigen,
    needed: [...vectors, ...maps, ...determinant, ...kernel],
  },
  { course: "linear-maps", goal: "What is a basis?", wanted: ["obj-basis"], needed: ["obj-add-and-scale", "obj-linear-combination"] },
  {
    course: "linear-maps",
    goal: "Learn how to multiply two matrices",
    wanted: ["obj-compose"],
    needed: [...maps, "obj-add-and-scale", "obj-order"],
  },
  {
    course: "linear-maps",
    goal: "decide whether a matrix can be inverted",
    wanted: ["obj-det-invertible"],
    needed: [...maps, "obj-inverse", "obj-compose", "obj-det-compute", "obj-det-area", "obj-kernel"],
  },
  {
    course: "linear-maps",
    goal: "Fit a line through data points",
    wanted: ["obj-normal-equations"],
    needed: ["obj-projection", "obj-image-rank", ...maps],
  },
  {
    course: "linear-maps",
    goal: "find the kernel of a matrix",
    wanted: ["obj-kernel"],
    needed: [...vectors, ...maps, "obj-image-rank", "obj-rank-nullity"],
  },
  {
    course: "linear-maps",
    goal: "compute the hundredth power of a matrix",
    wanted: ["obj-powers"],
    needed: ["obj-diagonalise", ...eigen, "obj-compose", ...bases],
  },
  {
    course: "linear-maps",
    goal: "I keep confusing kernel, image and rank, help me",
    wanted: kernel,
    needed: [...vectors, ...maps],
  },
  {
    course: "linear-maps",
    goal: "Matrices when I use another coordinate system",
    wanted: bases,
    needed: [...vectors, ...maps, ...composition],
  },
  {
    course: "linear-maps",
    goal: "eigenvalues of 2x2 matrices",
    wanted: ["obj-characteristic"],
    needed: [...maps, ...determinant, ...eigen, "obj-kernel"],
    heldOut: true,
  },
  {
    course: "linear-maps",
    goal: "Why does the order of two transformations matter?",
    wanted: ["obj-order"],
    needed: [...maps, "obj-compose"],
    heldOut: true,
  },
  { course: "linear-maps", goal: "Diagonalization", wanted: diagonal, needed: [...eigen, ...bases, ...composition], heldOut: true },
  {
    course: "linear-maps",
    goal: "I want to add vectors and scale them",
    wanted: ["obj-add-and-scale"],
    needed: ["obj-linear-combination"],
    heldOut: true,
  },
  {
    course: "linear-maps",
    goal: "How many solutions does a linear system have?",
    wanted: ["obj-rank-nullity"],
    needed: ["obj-kernel", "obj-image-rank", ...maps, ...vectors],
    heldOut: true,
  },
  {
    course: "learning-to-learn",
    goal: "Plan my week of studying",
    wanted: ["obj-plan-week"],
    needed: ["obj-feedback", "obj-spacing", "obj-interleaving", "obj-testing-effect"],
  },
  {
    course: "learning-to-learn",
    goal: "Understand spaced repetition",
    wanted: ["obj-spacing"],
    needed: ["obj-interleaving", "obj-storage-retrieval", "obj-testing-effect"],
  },
  {
    course: "learning-to-learn",
    goal: "Why is my working memory so limited?",
    wanted: ["obj-working-memory"],
    needed: ["obj-storage-retrieval"],
  },
  {
    course: "learning-to-learn",
    goal: "write better flashcards",
    wanted: ["obj-good-questions"],
    needed: ["obj-testing-effect", "obj-storage-retrieval"],
  },
  {
    course: "learning-to-learn",
    goal: "Does testing yourself help more than rereading?",
    wanted: ["obj-testing-effect"],
    needed: ["obj-good-questions", "obj-storage-retrieval", "obj-working-memory"],
  },
  {
    course: "learning-to-learn",
    goal: "apply what I learned to new problems",
    wanted: ["obj-transfer"],
    needed: ["obj-self-explanation", "obj-interleaving"],
  },
  {
    course: "learning-to-learn",
    goal: "When should I mix topics?",
    wanted: ["obj-interleaving"],
    needed: ["obj-spacing", "obj-storage-retrieval", "obj-testing-effect"],
    heldOut: true,
  },
  {
    course: "learning-to-learn",
    goal: "find the gaps in what I understand",
    wanted: ["obj-self-explanation"],
    needed: ["obj-transfer", "obj-testing-effect", "obj-working-memory"],
    heldOut: true,
  },
  {
    course: "learning-to-learn",
    goal: "know what to study next",
    wanted: ["obj-feedback"],
    needed: ["obj-plan-week", "obj-spacing", "obj-testing-effect"],
    heldOut: true,
  },
];

/** Goals that a stranger's use brought up, and, held out, others written before words of wishing were left aside. */
export const wishes: readonly Goal[] = [
  {
    course: "learning-to-learn",
    goal: "Understand spacing",
    wanted: ["obj-spacing"],
    needed: ["obj-interleaving", "obj-storage-retrieval", "obj-testing-effect"],
  },
  {
    course: "learning-to-learn",
    goal: "Understand retrieval practice",
    wanted: ["obj-testing-effect"],
    needed: ["obj-good-questions", "obj-storage-retrieval"],
  },
  {
    course: "linear-maps",
    goal: "Fit a line through data",
    wanted: ["obj-normal-equations"],
    needed: ["obj-projection", "obj-image-rank"],
  },
  {
    course: "linear-maps",
    goal: "When can a matrix be undone?",
    wanted: ["obj-inverse"],
    needed: ["obj-det-invertible", "obj-kernel", "obj-compose"],
  },
  {
    course: "linear-maps",
    goal: "Understand determinants, not eigenvectors",
    wanted: determinant,
    needed: ["obj-compose", "obj-inverse", "obj-matrix-columns"],
  },
  { course: "linear-maps", goal: "Understand bases", wanted: ["obj-basis"], needed: [...vectors, ...bases], heldOut: true },
  {
    course: "linear-maps",
    goal: "I'd like to learn about matrix inverses",
    wanted: ["obj-inverse"],
    needed: ["obj-det-invertible", "obj-compose", "obj-matrix-columns"],
    heldOut: true,
  },
  {
    course: "linear-maps",
    goal: "Get comfortable with eigenvalues, but not determinants",
    wanted: ["obj-eigen-definition", "obj-characteristic"],
    needed: ["obj-eigen-space", "obj-kernel", "obj-matrix-vector"],
    heldOut: true,
  },
  {
    course: "linear-maps",
    goal: "know when a matrix is diagonalisable",
    wanted: ["obj-not-diagonalisable"],
    needed: ["obj-diagonalise", ...eigen],
    heldOut: true,
  },
  {
    course: "linear-maps",
    goal: "Understand least squares",
    wanted: ["obj-projection", "obj-normal-equations"],
    needed: ["obj-image-rank"],
    heldOut: true,
  },
  {
    course: "linear-maps",
    goal: "learn what the image of a map is",
    wanted: ["obj-image-rank"],
    needed: ["obj-kernel", "obj-rank-nullity", "obj-matrix-columns"],
    heldOut: true,
  },
  {
    course: "learning-to-learn",
    goal: "understand self-explanation",
    wanted: ["obj-self-explanation"],
    needed: ["obj-transfer"],
    heldOut: true,
  },
  { course: "learning-to-learn", goal: "learn about interleaving", wanted: ["obj-interleaving"], needed: ["obj-spacing"], heldOut: true },
  {
    course: "learning-to-learn",
    goal: "I want to understand transfer",
    wanted: ["obj-transfer"],
    needed: ["obj-self-explanation"],
    heldOut: true,
  },
  {
    course: "learning-to-learn",
    goal: "study how memory works",
    wanted: ["obj-storage-retrieval"],
    needed: ["obj-working-memory"],
    heldOut: true,
  },
];

/** Goals that join two things, written before a goal was taken apart. */
export const joinedGoals: readonly Goal[] = [
  {
    course: "linear-maps",
    goal: "Understand determinants and eigenvectors",
    wanted: ["obj-det-area", "obj-det-compute", "obj-eigen-definition"],
    needed: [...vectors, ...maps, ...composition, ...kernel, ...determinant, ...eigen],
  },
  {
    course: "linear-maps",
    goal: "Kernels and least squares",
    wanted: ["obj-kernel", "obj-normal-equations"],
    needed: [...vectors, ...maps, ...kernel, "obj-projection"],
  },
  {
    course: "linear-maps",
    goal: "basis, determinant and projections",
    wanted: ["obj-basis", "obj-det-area", "obj-projection"],
    needed: [...vectors, ...maps, ...composition, ...determinant, "obj-normal-equations"],
  },
  {
    course: "linear-maps",
    goal: "I need matrix inverses and determinants for my exam",
    wanted: ["obj-inverse", "obj-det-compute"],
    needed: [...vectors, ...maps, ...composition, ...determinant],
    heldOut: true,
  },
  {
    course: "linear-maps",
    goal: "projections and diagonalisation",
    wanted: ["obj-projection", "obj-diagonalise"],
    needed: [...vectors, ...maps, ...composition, ...eigen, ...bases, ...diagonal, "obj-normal-equations"],
    heldOut: true,
  },
  {
    course: "linear-maps",
    goal: "learn about rank, then about powers of a matrix",
    wanted: ["obj-image-rank", "obj-powers"],
    needed: [...vectors, ...maps, ...composition, ...kernel, ...eigen, ...bases, ...diagonal],
    heldOut: true,
  },
  {
    course: "learning-to-learn",
    goal: "spacing and planning a week",
    wanted: ["obj-spacing", "obj-plan-week"],
    needed: ["obj-interleaving", "obj-storage-retrieval", "obj-testing-effect", "obj-feedback"],
    heldOut: true,
  },
  {
    course: "learning-to-learn",
    goal: "working memory & interleaving",
    wanted: ["obj-working-memory", "obj-interleaving"],
    needed: ["obj-spacing", "obj-storage-retrieval"],
    heldOut: true,
  },
];

/** Goals on a whole course and on one thing of it, written before the selection was changed for such. */
export const widthGoals: readonly Goal[] = [
  {
    course: "learning-to-learn",
    goal: "pass the exam on learning to learn",
    wanted: ["obj-working-memory", "obj-testing-effect", "obj-spacing", "obj-self-explanation", "obj-plan-week"],
    needed: ["obj-storage-retrieval", "obj-good-questions", "obj-interleaving", "obj-transfer", "obj-feedback"],
  },
  {
    course: "linear-maps",
    goal: "What a basis is",
    wanted: ["obj-basis"],
    needed: ["obj-add-and-scale", "obj-linear-combination"],
  },
  {
    course: "learning-to-learn",
    goal: "Understand spacing and retrieval practice",
    wanted: ["obj-spacing", "obj-testing-effect"],
    needed: ["obj-interleaving", "obj-storage-retrieval", "obj-good-questions", "obj-plan-week"],
  },
  {
    course: "learning-to-learn",
    goal: "I want to get through the whole course on learning to learn",
    wanted: ["obj-working-memory", "obj-testing-effect", "obj-spacing", "obj-self-explanation", "obj-plan-week"],
    needed: ["obj-storage-retrieval", "obj-good-questions", "obj-interleaving", "obj-transfer", "obj-feedback"],
    heldOut: true,
  },
  {
    course: "learning-to-learn",
    goal: "What working memory is",
    wanted: ["obj-working-memory"],
    needed: ["obj-storage-retrieval"],
    heldOut: true,
  },
  {
    course: "linear-maps",
    goal: "What the kernel is",
    wanted: ["obj-kernel"],
    needed: [...vectors, ...maps, "obj-image-rank", "obj-rank-nullity"],
    heldOut: true,
  },
  {
    course: "linear-maps",
    goal: "how an eigenvector is defined",
    wanted: ["obj-eigen-definition"],
    needed: [...vectors, ...maps, ...kernel, ...eigen],
    heldOut: true,
  },
  {
    course: "learning-to-learn",
    goal: "the test on transfer and interleaving",
    wanted: ["obj-transfer", "obj-interleaving"],
    needed: ["obj-self-explanation", "obj-spacing"],
    heldOut: true,
  },
];

/** Goals on subjects of neither course. */
export const unrelatedGoals: readonly string[] = [
  "gardening in spring",
  "understand inflation",
  "swim faster",
  "how planes fly",
  "paint with watercolours",
  "the history of Rome",
  "train my dog",
  "lose weight",
  "how to knit",
  "sell my house",
  "learn to sing",
  "volcanoes",
  "football tactics",
  "how to dance tango",
  "cook pasta",
];
