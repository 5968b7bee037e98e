import { languageNames } from "@colloquy/schemas/languages.ts";
import { faultsOf, unused } from "./messages.ts";

/** `npm run messages`: prints the messages that are missing, unused or have wrong placeholders or plural forms, by language. */
const reports = [
  ...unused().map((key) => `unused: ${key}`),
  ...languageNames.flatMap((language) => faultsOf(language).map((fault) => `${language}: ${fault}`)),
];
console.log(reports.length ? reports.join("\n") : "All messages are used and translated.");
process.exitCode = reports.length ? 1 : 0;
