import { duplicate, type FieldError, FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { type Policy, UNRESTRICTED } from './policy.ts';

/** Requests that are not checked: upstream's PodSecurityExemptions. */
export interface Exemptions {
  readonly usernames: readonly string[];
  readonly namespaces: readonly string[];
  readonly runtimeClasses: readonly string[];
}

/** Upstream's PodSecurityConfiguration. */
export interface PodSecurityConfiguration {
  readonly defaults: Policy;
  readonly exemptions: Exemptions;
}

/** Exempts no request. */
export const NO_EXEMPTIONS: Exemptions = { usernames: [], namespaces: [], runtimeClasses: [] };
/** The default without a configuration file. */
export const DEFAULT_CONFIGURATION: PodSecurityConfiguration = { defaults: UNRESTRICTED, exemptions: NO_EXEMPTIONS };

const named = (name: string): string[] => (name === '' ? ['username must not be empty'] : []);
const FAULTS: readonly [keyof Exemptions, (name: string) => string[]][] = [
  ['namespaces', isDNS1123Label],
  ['runtimeClasses', isDNS1123Subdomain],
  ['usernames', named],
];

/** Returns the errors of a configuration's exemptions, with upstream's texts. */
export function exemptionErrors(exemptions: Exemptions): FieldError[] {
  return FAULTS.flatMap(([field, faultsOf]) => {
    const seen = new Set<string>();
    return exemptions[field].flatMap((name, i) => {
      const path = FieldPath.of('exemptions', field).index(i);
      const faults = faultsOf(name);
      if (faults.length > 0) return [invalid(path, name, faults.join(', '))];
      if (seen.has(name)) return [duplicate(path, name)];
      seen.add(name);
      return [];
    });
  });
}
