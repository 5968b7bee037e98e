/** A stylesheet as text; the build inlines it in the script (`build.ts`). */
declare module "*.css" {
  const text: string;
  export default text;
}
