/** A sheet as text: the build of the embed bundles it and puts it into the script (`build.ts`). */
declare module "*.css" {
  const text: string;
  export default text;
}
