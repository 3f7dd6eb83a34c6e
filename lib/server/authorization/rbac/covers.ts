import { quoteList } from '#lib/machinery/go.ts';
import { EMPTY_RULE, hasOrAll, type PolicyRule, urlMatches } from './rule.ts';

/** One verb on one resource or URL: the smallest part of a rule. */
type Right = PolicyRule;

/** The maximum number of permissions and comparisons. A role of 3 MiB may contain billions of permissions. */
const MOST_RIGHTS = 20_000;
const MOST_COMPARISONS = 20_000_000;

/** The permissions in `asked` that no rule in `owned` grants. Undefined if there are too many to compare. Upstream's Covers. */
export function uncovered(owned: readonly PolicyRule[], asked: readonly PolicyRule[]): readonly Right[] | undefined {
  const total = asked.reduce((sum, rule) => sum + countRights(rule), 0);
  if (total > MOST_RIGHTS || total * owned.length > MOST_COMPARISONS) return undefined;
  return asked.flatMap(rightsOf).filter((right) => !owned.some((rule) => covers(rule, right)));
}

const countRights = ({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): number =>
  verbs.length * (apiGroups.length * resources.length * Math.max(1, resourceNames.length) + nonResourceURLs.length);

function rightsOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): Right[] {
  const names = resourceNames.length === 0 ? [[]] : resourceNames.map((name) => [name]);
  const things = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        names.map((name) => ({
          ...EMPTY_RULE,
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
          resourceNames: name,
        })),
      ),
    ),
  );
  const urls = nonResourceURLs.flatMap((url) =>
    verbs.map((verb) => ({ ...EMPTY_RULE, verbs: [verb], nonResourceURLs: [url] })),
  );
  return [...things, ...urls];
}

/** Whether a rule grants one permission. Fields that the permission lacks (a URL has no group) are always covered. */
function covers(rule: PolicyRule, right: Right): boolean {
  return (
    right.verbs.every((verb) => hasOrAll(rule.verbs, verb)) &&
    right.apiGroups.every((group) => hasOrAll(rule.apiGroups, group)) &&
    right.resources.every((resource) => coversResource(rule.resources, resource)) &&
    coversNames(rule.resourceNames, right.resourceNames) &&
    right.nonResourceURLs.every((url) => rule.nonResourceURLs.some((pattern) => urlMatches(pattern, url)))
  );
}

function coversResource(owned: readonly string[], resource: string): boolean {
  if (hasOrAll(owned, resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && owned.includes(`*${resource.slice(slash)}`);
}

const coversNames = (owned: readonly string[], names: readonly string[]): boolean =>
  owned.length === 0 || (names.length > 0 && names.every((name) => owned.includes(name)));

/** Permissions as text for messages, sorted. Those that differ only in the verb are combined. */
export function describeRights(rights: readonly Right[]): string[] {
  const compacted = new Map<string, PolicyRule>();
  for (const [i, right] of rights.entries()) {
    const { apiGroups, resources, resourceNames, verbs } = right;
    const key = right.nonResourceURLs.length > 0 ? `${i}` : JSON.stringify([apiGroups, resources, resourceNames]);
    const known = compacted.get(key);
    compacted.set(key, known === undefined ? right : { ...known, verbs: [...known.verbs, ...verbs] });
  }
  return [...new Set(Array.from(compacted.values(), describeRule))].sort();
}

function describeRule(rule: PolicyRule): string {
  const fields: readonly [string, readonly string[]][] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ];
  const shown = fields.filter(([, list]) => list.length > 0).map(([name, list]) => `${name}:${quoteList(list)}`);
  return `{${shown.join(', ')}}`;
}
