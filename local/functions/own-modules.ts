import { registerHooks } from 'node:module';

const OWN = /^davit\/(controller|webhook)$/;
const here = import.meta.url;
const extension = here.slice(here.lastIndexOf('.'));

/** From now on `davit/…` is this program's own, wherever the file is that imports it. */
export function useOwnModules(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const name = OWN.exec(specifier)?.[1];
      if (name === undefined) return next(specifier, context);
      return { url: new URL(`../../exports/${name}${extension}`, here).href, shortCircuit: true };
    },
  });
}
