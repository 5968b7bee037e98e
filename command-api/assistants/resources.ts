import { bounds } from "@colloquy/schemas/bounds.ts";
import { connectorBounds } from "@colloquy/schemas/connector-bounds.ts";
import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate, requireScopes } from "@modelcontextprotocol/server";
import { z } from "zod";
import { escapeUntrusted } from "../grounding/untrusted-text.ts";
import { resolved } from "./source-tools.ts";
import type { ToolContext } from "./tool-context.ts";
import { untrustedNotice } from "./tool-results.ts";

/** The topics of the courses as resources, under their own addresses, and prompts a learner can begin with. */
export function resourcesAndPrompts(server: McpServer, { config, library, catalogue, token }: ToolContext): void {
  const scopeChallenge = requireScopes("sources:read");
  const mimeType = "text/markdown";
  server.registerResource(
    "topic",
    new ResourceTemplate(`${config.publicUrl}/courses/{+path}`, {
      async list() {
        // Listing goes by no single address that could be challenged.
        if (!token.scopes.includes("sources:read")) return { resources: [] };
        const resources = [];
        for (const { courseId } of await catalogue.list()) {
          const topics = new Map(
            (await library.resolve({ href: `/courses/${courseId}` }))?.passages.map(({ source }) => [
              source.href.split("#")[0] ?? "",
              source,
            ]),
          );
          for (const [href, { title, kind, trail }] of topics)
            resources.push({
              uri: config.publicUrl + href,
              name: href,
              title: escapeUntrusted(kind === "block" ? (trail.at(-1) ?? title) : title),
              mimeType,
            });
        }
        return { resources: resources.slice(0, connectorBounds.topics) };
      },
    }),
    { title: "Course text", description: "A topic of a published course, as text", mimeType, scopeChallenge },
    async (uri) => {
      const href = uri.href.startsWith(`${config.publicUrl}/`) ? uri.pathname + uri.hash : "";
      const found = await resolved(library, href).catch(() => {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such place in a published course.");
      });
      const text = escapeUntrusted(
        found.passages.map(({ heading, text: own }) => (heading ? `## ${heading}\n\n${own}` : own)).join("\n\n"),
      );
      const most = connectorBounds.readCharacters;
      const cut = text.length > most ? `${text.slice(0, most)}\n\n… (go on with read_source)` : text;
      return { contents: [{ uri: uri.href, mimeType, text: `${untrustedNotice}\n\n# ${escapeUntrusted(found.source.title)}\n\n${cut}` }] };
    },
  );

  const message = (text: string) => ({ messages: [{ role: "user" as const, content: { type: "text" as const, text } }] });
  server.registerPrompt(
    "tutor_me",
    {
      title: "Tutor me on …",
      description: "Begins a tutoring session on a goal of yours",
      argsSchema: z.object({ goal: z.string().min(1).max(bounds.tutor.goalLength).describe("What you want to understand") }),
    },
    ({ goal }) =>
      message(
        `Tutor me in Colloquy. My goal: ${goal}\nShow me the courses that fit and let me choose one. Then start a session, and take me through it: one question at a time, waiting for my answer each time. Do not answer for me.`,
      ),
  );
  server.registerPrompt("go_on", { title: "Go on where I was", description: "Takes up your latest tutoring session" }, () =>
    message(
      "Open my latest tutoring session in Colloquy, tell me in two sentences where I am, and go on from there. Do not answer for me.",
    ),
  );
}
