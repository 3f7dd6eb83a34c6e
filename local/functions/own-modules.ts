import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { FUNCTION_MODULES, moduleOf } from '#lib/machinery/package-name.ts';

const OWN = new Map<string, string>(FUNCTION_MODULES.map((name) => [moduleOf(name), name]));
const here = import.meta.url;
const extension = here.slice(here.lastIndexOf('.'));

/**
 * After this call, imports of this package resolve to the running program's modules, regardless of the importing file's location. If a
 * package does not declare a module type, a file that parses as an ES module is loaded as one, without node's warning.
 */
export function useOwnModules(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const name = OWN.get(specifier);
      if (name !== undefined)
        return { url: new URL(`../../exports/${name}${extension}`, here).href, shortCircuit: true };
      const found = next(specifier, context);
      return (found.format ?? '') === '' && isModule(found.url) ? { ...found, format: formatOf(found.url) } : found;
    },
  });
}

const isModule = (url: string): boolean =>
  /^file:.*\.(ts|js)$/.test(url) && /^\s*(import|export)\b/m.test(readFileSync(fileURLToPath(url), 'utf8'));

const formatOf = (url: string): string => (url.endsWith('.ts') ? 'module-typescript' : 'module');
