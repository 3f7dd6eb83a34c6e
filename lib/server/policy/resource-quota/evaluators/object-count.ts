import type { Evaluator } from '../evaluator.ts';

/** Returns the name under which the objects of a resource are counted, in any group. */
export const countName = (group: string, resource: string): string =>
  group === '' ? `count/${resource}` : `count/${resource}.${group}`;

/** Legacy names, from before every resource could be counted. */
const ALIASES: Readonly<Record<string, string>> = {
  configmaps: 'configmaps',
  resourcequotas: 'resourcequotas',
  replicationcontrollers: 'replicationcontrollers',
  secrets: 'secrets',
};

/** Counts the number of objects. */
export function objectCount(group: string, resource: string): Evaluator {
  const alias = group === '' && Object.hasOwn(ALIASES, resource) ? ALIASES[resource] : undefined;
  const names = [countName(group, resource), ...(alias === undefined ? [] : [alias])];
  const one = new Map(names.map((name) => [name, '1']));
  return {
    group,
    resource,
    hasScopes: false,
    handles: ({ operation, subresource }) => subresource === '' && operation === 'CREATE',
    counts: (name) => names.includes(name),
    usage: () => one,
    inScope: () => false,
  };
}
