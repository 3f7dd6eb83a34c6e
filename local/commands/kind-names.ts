import { guessResource } from '#lib/client/guess-resource.ts';
import { StartFault } from '../start-fault.ts';

/** Converts `red-site` to `redSite` or `RedSite`. */
export const camel = (name: string): string => name.replace(/-([a-z0-9])/g, (_, c: string) => c.toUpperCase());
/** The name in Pascal case: `red-site` becomes `RedSite`. */
export const pascal = (name: string): string => name.charAt(0).toUpperCase() + camel(name).slice(1);

/** Converts `RedSite` to `RED_SITE`. */
export const upperSnake = (kind: string): string => kind.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();

/** Guesses the plural of a kind from its name. Throws StartFault if the name already looks like a plural. */
export function pluralOf(name: string): string {
  if (!/[^aius]s$/.test(name)) return guessResource(name.replaceAll('-', ''));
  const singular = name.replace(/ies$/, 'y').replace(/(x|z|ch|sh|ss)es$|s$/, '$1');
  throw new StartFault(
    `a kind has a singular name: did you mean ${singular}? If ${name} is singular, give its plural by --plural`,
  );
}
