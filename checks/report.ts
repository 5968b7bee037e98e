import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";

/**
 * `npm run report -- <check> [its options]`: runs a check of `reports` and writes what it printed, with date and machine, into its page below
 * docs/reports/. A failed run is not written.
 */
const reports: Record<string, { page: string; title: string; about: string; anchor: string }> = {
  "crash-test": {
    page: "crash-test.md",
    title: "Crash test",
    about: "Processes are killed while devices push changes; in the end nothing acknowledged is lost or doubled.",
    anchor: "crash-tests",
  },
  "crash-test:publication": {
    page: "crash-test-publication.md",
    title: "Crash test of publication",
    about: "A server is killed, and its stores fail, at every step of a publication; two servers publish at once.",
    anchor: "crash-tests",
  },
  "crash-test:films": {
    page: "crash-test-films.md",
    title: "Crash test of videos",
    about: "Workers are killed, connections are cut and disks fill up while videos are made.",
    anchor: "crash-tests",
  },
  "eval:ask": {
    page: "ask-evaluation.md",
    title: "Ask evaluation",
    about:
      "Hand-written questions are asked on published courses; what the model is given to read is compared with the blocks that answer.",
    anchor: "ask-evaluation",
  },
  "eval:tutor": {
    page: "tutor-evaluation.md",
    title: "Tutor evaluation",
    about: "Simulated learners with hidden mastery are tutored by the real deciders.",
    anchor: "tutor-evaluation",
  },
};

const [name = "", ...options] = process.argv.slice(2);
const report = reports[name];
if (!report) {
  console.error(`npm run report -- <check> [its options]. Checks: ${Object.keys(reports).join(", ")}.`);
  process.exit(2);
}
const child = spawn("npm", ["run", "--silent", name, "--", ...options], { stdio: ["ignore", "pipe", "inherit"] });
let output = "";
child.stdout.setEncoding("utf8").on("data", (text: string) => {
  output += text;
  process.stdout.write(text);
});
child.once("close", (code) => {
  if (code === 0) {
    const command = ["npm run", name, ...(options.length > 0 ? ["--", ...options] : [])].join(" ");
    const machine = `${cpus().length} cores shared with other work (load average ${loadavg()[1]?.toFixed(1)})`;
    const text = [
      `# ${report.title}`,
      "",
      `Written by \`npm run report -- ${[name, ...options].join(" ")}\` on ${new Date().toISOString().slice(0, 10)}, ${machine}. ${report.about} [Checks](../build/checks.md#${report.anchor}) describes it.`,
      "",
      "```",
      `$ ${command}`,
      output.trim(),
      "```",
      "",
    ].join("\n");
    writeFileSync(new URL(`../docs/reports/${report.page}`, import.meta.url), text);
  }
  process.exitCode = code ?? 1;
});
