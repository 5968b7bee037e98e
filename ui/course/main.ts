import "../rendering/actions.ts"; export {};
