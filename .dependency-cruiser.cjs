// Which room may import which (docs/build/architecture.md). Tests and their fixtures may reach further than the code they test.
const rooms = {
  schemas: [],
  messages: ["schemas"],
  infra: ["schemas", "messages"],
  "command-api": ["schemas", "infra", "render-service/layout"],
  projections: ["schemas", "infra"],
  "query-api": ["schemas", "messages", "infra", "ui/rendering", "ui/messages", "render-service/fonts"],
  "render-service": ["schemas", "infra/process"],
  ui: ["schemas", "messages", "render-service/frames"],
  client: ["schemas"],
};
const queries = "^projections/[^/]+/queries[.]ts$";
const mayReadProjections = new Set(["command-api", "query-api"]);
// Tests, their fixtures and doubles, and evaluations. Production code may not import them.
const test = "[.](test|fixture)[.]ts$|/(testing|evaluation|test-broker)/";

module.exports = {
  forbidden: [
    ...Object.entries(rooms).map(([room, open]) => ({
      name: `${room}-imports-only-${open.join("-").replaceAll("/", "-") || "itself"}`,
      severity: "error",
      from: { path: `^${room}/`, pathNot: test },
      to: {
        path: `^(${Object.keys(rooms).join("|")})/`,
        pathNot: [`^${room}/`, ...open.map((other) => `^${other}/`), ...(mayReadProjections.has(room) ? [queries] : [])],
      },
    })),
    { name: "schemas-are-pure", severity: "error", from: { path: "^schemas/", pathNot: test }, to: { dependencyTypes: ["core"] } },
    {
      name: "schemas-depend-on-zod-and-yaml-only",
      severity: "error",
      from: { path: "^schemas/", pathNot: test },
      to: { dependencyTypes: ["npm"], pathNot: "node_modules/(zod|yaml)/" },
    },
    {
      name: "layout-knows-nothing-of-the-renderer",
      severity: "error",
      from: { path: "^render-service/layout/", pathNot: test },
      to: { path: "^render-service/", pathNot: "^render-service/(layout|frames|fonts)/" },
    },
    {
      name: "frames-run-in-browsers",
      severity: "error",
      from: { path: "^render-service/frames/", pathNot: test },
      to: { path: "^render-service/", pathNot: "^render-service/frames/" },
    },
    {
      name: "frames-need-no-packages",
      severity: "error",
      from: { path: "^render-service/frames/", pathNot: test },
      to: { dependencyTypes: ["core", "npm"] },
    },
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "declared-in-the-workspace", severity: "error", from: {}, to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] } },
    {
      name: "rooms-import-by-package-name",
      severity: "error",
      from: { path: "^([^/]+)/" },
      to: { path: `^(${Object.keys(rooms).join("|")})/`, pathNot: "^$1/", dependencyTypes: ["local"], dependencyTypesNot: ["aliased"] },
    },
    { name: "nothing-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
    { name: "only-tests-import-tests", severity: "error", from: { pathNot: test }, to: { path: test } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // The client's examples are programs of others: they import the package as it is installed.
    exclude: { path: "(^|/)(dist|dist-[^/]+)/|^client/examples/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
      extensions: [".ts", ".js", ".json"],
    },
    parser: "tsc",
  },
};
