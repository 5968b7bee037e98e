/** Sources whose loose words are attributes, commands and the words of a course, which are in no language of the interface. */
export const marksAlone: ReadonlySet<string> = new Set([
  "query-api/courses/catalogue-page.ts",
  "query-api/courses/topic-page.ts",
  "query-api/pages/frame.ts",
  "query-api/pages/routes.ts",
  "query-api/pages/shell.ts",
]);

/** References for programmers: in English, as the code and the schemas they are made from. */
export const references: ReadonlySet<string> = new Set(["query-api/embed/element-pages.ts", "query-api/pages/api-page.ts"]);
