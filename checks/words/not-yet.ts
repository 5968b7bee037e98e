/** Sources whose words are still in English only: each goes as it is converted, and none comes. */
export const notYet: ReadonlySet<string> = new Set([
  "query-api/courses/catalogue-page.ts",
  "query-api/courses/topic-page.ts",
  "query-api/embed/diagram-page.ts",
  "query-api/embed/try-page.ts",
  "query-api/pages/frame.ts",
  "query-api/pages/routes.ts",
  "query-api/pages/shell.ts",
]);

/** References for programmers: in English, as the code and the schemas they are made from. */
export const references: ReadonlySet<string> = new Set(["query-api/embed/reference-page.ts", "query-api/pages/api-page.ts"]);
