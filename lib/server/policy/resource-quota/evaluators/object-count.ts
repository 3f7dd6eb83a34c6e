import type { Evaluator } from '../evaluator.ts';

/** The name under which the objects of a resource are counted, of any group. */
export const countName = (group: string, resource: string): string =>
  group === '' ? `count/${resource}` : `count/${resource}.${group}`;

/** Names from before every resource could be counted. */
const ALIASES: Readonly<Record<string, string>> = {
  configmaps: 'configmaps',
  resourcequotas: 'resourcequotas',
  replicationcontrollers: 'replicationcontrollers',
  secrets: 'secrets',
};

/** Objects that count by being there. */
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
