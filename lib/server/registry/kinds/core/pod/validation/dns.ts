import type { PodSpec } from '#lib/api/types/core.v1.ts';
import { type FieldError, type FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { isDNS1123SubdomainWithUnderscore } from '#lib/machinery/validation/names.ts';
import { validateLegacyIP } from '../../../shared/ip.ts';
import { checked, each } from '../../../shared/validate.ts';

const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_CHARACTERS = 2048;

/** Upstream's validatePodDNSConfig. The limits match libc resolvers. */
export function validateDNSConfig({ dnsConfig: config, dnsPolicy }: PodSpec, path: FieldPath): FieldError[] {
  const nameservers = config?.nameservers ?? [];
  if (dnsPolicy === 'None') {
    if (config === undefined) return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
    if (nameservers.length === 0) {
      const message = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
      return [required(path.child('nameservers'), message)];
    }
  }
  if (config === undefined) return [];
  return [
    ...validateNameservers(nameservers, path.child('nameservers')),
    ...validateSearches(config.searches ?? [], path.child('searches')),
    ...each(config.options ?? [], path.child('options'), ({ name = '' }, at) =>
      name === '' ? [required(at, 'must not be empty')] : [],
    ),
  ];
}

function validateNameservers(nameservers: readonly string[], path: FieldPath): FieldError[] {
  const message = `must not have more than ${MAX_NAMESERVERS} nameservers`;
  const many = nameservers.length > MAX_NAMESERVERS ? [invalid(path, nameservers, message)] : [];
  return [...many, ...each(nameservers, path, (address, at) => validateLegacyIP(address, at))];
}

function validateSearches(searches: readonly string[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (searches.length > MAX_SEARCHES) {
    errors.push(invalid(path, searches, `must not have more than ${MAX_SEARCHES} search paths`));
  }
  if (Buffer.byteLength(searches.join(' ')) > MAX_SEARCH_CHARACTERS) {
    const message = `must not have more than ${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`;
    errors.push(invalid(path, searches, message));
  }
  const names = each(searches, path, (search, at) => {
    if (search === '.') return [];
    const name = search.endsWith('.') ? search.slice(0, -1) : search;
    return checked(name, at, isDNS1123SubdomainWithUnderscore);
  });
  return [...errors, ...names];
}
