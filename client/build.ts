import { copyFile, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { routeKey } from "@colloquy/schemas/contracts/contract.ts";
import { contracts } from "@colloquy/schemas/contracts/index.ts";
import { build } from "esbuild";
import ts from "typescript";

/**
 * `npm run build -w client`, and before every `npm pack`: makes of these sources what anybody can install, in `client/dist`: one module for
 * Node 20 and browsers, and types that stand for themselves. tsc writes the declarations; the table of routes, which is inferred from zod's
 * types here, is written out as plain ones, so that the package needs no other.
 */
const home = fileURLToPath(new URL("..", import.meta.url));
const client = join(home, "client");
const dist = join(client, "dist");

/** Types that lie in our other rooms, as the checker names them. */
const elsewhere = /import\("[^"]+"\)\.(\w+)/g;
/** Modules of the schemas that the package has written out. */
const writtenOut = new Map([
  ["@colloquy/schemas/errors.ts", "./errors.js"],
  ["@colloquy/schemas/contracts/route-types.ts", "./routes.js"],
]);

function program(): ts.Program {
  const { config } = ts.readConfigFile(join(home, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: ["client/client.ts"] }, ts.sys, home);
  return ts.createProgram([join(client, "client.ts")], { ...options, noEmit: false, declaration: true, emitDeclarationOnly: true });
}

/** Writes types out: whole, without the names they have here. */
class Writer {
  readonly #checker: ts.TypeChecker;
  readonly #program: ts.Program;
  readonly #from: ts.SourceFile;
  readonly #interfaces = new Map<string, string>();

  /** @param file the names that can be seen there stay names */
  constructor(made: ts.Program, file: string) {
    const from = made.getSourceFile(file);
    if (!from) throw new Error(`${file} is not among what is built`);
    this.#program = made;
    this.#checker = made.getTypeChecker();
    this.#from = from;
  }

  /** Interfaces of other rooms that what was written names; they have to be written beside it. */
  get interfaces(): string {
    return [...this.#interfaces.values()].join("\n");
  }

  /** A type that a file declares by name. */
  declared(file: string, name: string): ts.Type {
    const source = this.#program.getSourceFile(file);
    const symbol = source && this.#checker.getSymbolAtLocation(source);
    const found = symbol && this.#checker.getExportsOfModule(symbol).find((one) => one.name === name);
    if (!found) throw new Error(`${file} has no ${name}`);
    return this.#checker.getDeclaredTypeOfSymbol(found);
  }

  propertiesOf(type: ts.Type): [name: string, type: ts.Type][] {
    return this.#checker.getPropertiesOfType(type).map((one) => [one.name, this.#checker.getTypeOfSymbol(one)]);
  }

  written(type: ts.Type): string {
    const flags = ts.NodeBuilderFlags.NoTruncation | ts.NodeBuilderFlags.InTypeAlias | ts.NodeBuilderFlags.MultilineObjectLiterals;
    const node = this.#checker.typeToTypeNode(type, this.#from, flags);
    if (!node) throw new Error(`${this.#checker.typeToString(type)} cannot be written`);
    const text = ts.createPrinter().printNode(ts.EmitHint.Unspecified, node, this.#from);
    // A field that may be left out and is nothing else is written with both.
    return text.replaceAll("undefined | undefined", "undefined").replaceAll(elsewhere, (_, name: string) => {
      this.interface(name);
      return name;
    });
  }

  /** Writes an interface of the schemas, and those it names. */
  interface(name: string): void {
    if (this.#interfaces.has(name)) return;
    const found = this.#program
      .getSourceFiles()
      .filter(({ fileName }) => fileName.startsWith(join(home, "schemas/")))
      .flatMap(({ statements }) => statements.filter(ts.isInterfaceDeclaration))
      .filter((one) => one.name.text === name);
    const [one] = found;
    if (!one || found.length > 1) throw new Error(`${found.length} interfaces of the schemas are named ${name}`);
    // Before what it names, which may be itself.
    this.#interfaces.set(name, "");
    const members = one.members.filter(ts.isPropertySignature).map((member) => {
      if (!member.type) throw new Error(`${name} says no type of ${member.name.getText()}`);
      const type = this.#checker.getTypeFromTypeNode(member.type);
      const optional = member.questionToken ? "?" : "";
      return `  ${member.name.getText()}${optional}: ${this.written(type)};`;
    });
    this.#interfaces.set(name, `export interface ${name} {\n${members.join("\n")}\n}`);
  }
}

/** The same table as in `route-types.ts`, written out, each route with what its description says of it. */
function routeTypes(made: ts.Program): string {
  const file = join(home, "schemas/contracts/route-types.ts");
  // Of the names here only `StreamEvent` is the package's, too; every other is written out.
  const writer = new Writer(made, join(client, "streams.ts"));
  const summaries = new Map(contracts.map((contract) => [routeKey(contract), contract.summary]));
  const entries = writer
    .propertiesOf(writer.declared(file, "RouteTypes"))
    .map(([route, type]) => `  /** ${summaries.get(route)} */\n  "${route}": ${writer.written(type)};`);
  return `/** One event of a stream; \`id\` is what \`lastEventId\` takes. */
export interface StreamEvent<Data> {
  id: string | null;
  event: string;
  data: Data;
}
${writer.interfaces}
/** Every route with what it takes and gives. */
export interface RouteTypes {
${entries.join("\n")}
}
`;
}

/** What a refusal says. */
function errorTypes(made: ts.Program): string {
  const file = join(home, "schemas/errors.ts");
  const writer = new Writer(made, file);
  for (const name of ["FieldError", "Problem"]) writer.interface(name);
  return `${writer.interfaces}\nexport type ErrorCode = ${writer.written(writer.declared(file, "ErrorCode"))};\n`;
}

async function writeTypes(folder: string): Promise<void> {
  const made = program();
  const files = new Map<string, string>();
  made.emit(undefined, (path, text) => {
    if (path.startsWith(`${client}/`)) files.set(basename(path), text);
  });
  files.set("routes.d.ts", routeTypes(made));
  files.set("errors.d.ts", errorTypes(made));
  for (const [name, text] of files)
    await writeFile(
      join(folder, name),
      text
        .replaceAll(/"(@colloquy\/schemas\/[^"]+)"/g, (whole, module: string) =>
          writtenOut.has(module) ? `"${writtenOut.get(module)}"` : whole,
        )
        .replaceAll(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'),
    );
}

/** File by file, so that whoever packs at the same time finds each of them whole. */
async function putInPlace(folder: string): Promise<void> {
  await mkdir(dist, { recursive: true });
  const fresh = new Set(await readdir(folder));
  for (const name of fresh) await rename(join(folder, name), join(dist, name));
  for (const name of await readdir(dist)) if (!fresh.has(name)) await rm(join(dist, name), { recursive: true, force: true });
}

const folder = `${dist}-${process.pid}`;
try {
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [join(client, "client.ts")],
    outfile: join(folder, "client.js"),
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: ["es2022", "node20"],
    logLevel: "warning",
  });
  await writeTypes(folder);
  await copyFile(join(home, "LICENSE"), join(folder, "LICENSE"));
  await putInPlace(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
