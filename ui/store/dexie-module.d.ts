/** Dexie's module build. Its main entry wraps a CommonJS file, which browsers cannot import without a bundler. */
declare module "dexie/dist/modern/dexie.mjs" {
  export * from "dexie";
}
