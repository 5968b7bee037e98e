declare module "speech-rule-engine" {
  interface Engine {
    setupEngine(feature: Readonly<Record<string, string>>): Promise<unknown>;
    engineReady(): Promise<unknown>;
    toSpeech(mathMl: string): string;
  }
  const engine: Engine;
  export default engine;
}
