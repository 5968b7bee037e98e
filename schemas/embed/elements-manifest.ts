/** The custom-elements manifest (schema 1.0.0), as far as our elements need it. */
export interface Manifest {
  schemaVersion: "1.0.0";
  modules: {
    kind: "javascript-module";
    path: string;
    declarations: ElementDeclaration[];
    exports: { kind: "custom-element-definition"; name: string; declaration: { name: string; module: string } }[];
  }[];
}

export interface Described {
  name: string;
  description: string;
}
export interface Typed extends Described {
  type: { text: string };
}

export interface ElementDeclaration {
  kind: "class";
  customElement: true;
  name: string;
  tagName: string;
  summary: string;
  attributes: Typed[];
  members: (
    | ({ kind: "field" } & Typed)
    | ({ kind: "method"; return: { type: { text: string } }; parameters: { name: string; type: { text: string } }[] } & Described)
  )[];
  events: Typed[];
  slots: Described[];
  cssParts: Described[];
  cssProperties: (Described & { default?: string })[];
}
