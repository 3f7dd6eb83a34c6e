import { decodedAs } from '#lib/api/testing.ts';
import type { Namespace, Node, Pod } from '#lib/api/types/core.v1.ts';
import { NAMESPACES as RESOURCE } from '#lib/api/types/resources.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aNode, aPod, type PodOf } from '../../../testing/wrappers.ts';

/** Parses labels such as `a=1,b`. A label without a value has an empty value. */
export const labels = (text: string): JsonObject =>
  Object.fromEntries(
    text
      .split(',')
      .filter((one) => one !== '')
      .map((one) => one.split('='))
      .map(([key = '', value = '']) => [key, value]),
  );

/** Parses nodes with labels: `a:zone=z1 b` is two nodes. */
export const nodes = (text: string): Node[] =>
  text
    .split(' ')
    .map((one) => one.split(':'))
    .map(([name = '', of = '']) => aNode({ name, labels: labels(of) }));

/** Parses `security in S1,S2`, `security notin S1`, `security` (exists) or `!security`; `*` matches all. */
function expression(text: string): JsonObject {
  const [key = '', operator = '', values = ''] = text.split(' ');
  if (operator !== '') return { key, operator: operator === 'in' ? 'In' : 'NotIn', values: values.split(',') };
  return key.startsWith('!') ? { key: key.slice(1), operator: 'DoesNotExist' } : { key, operator: 'Exists' };
}

/** Parses `security in S1 & !other @ zone`: pods with these labels in the domains of a topology key. */
export function term(text: string, more: JsonObject = {}): JsonObject {
  const [conditions = '', topologyKey = ''] = text.split(' @ ');
  return { labelSelector: { matchExpressions: conditions.split(' & ').map(expression) }, topologyKey, ...more };
}

/** Terms of affinity (`near`) and anti-affinity (`apart`), required or preferred (`rather`). */
export interface AffinityOf {
  readonly near?: JsonObject[];
  readonly apart?: JsonObject[];
  /** Pairs of weight and term. */
  readonly rather?: [number, JsonObject][];
  readonly ratherApart?: [number, JsonObject][];
}

/** The `affinity` of a pod's spec with these terms. */
export function affinity({ near = [], apart = [], rather = [], ratherApart = [] }: AffinityOf): JsonObject {
  const of = (required: JsonObject[], preferred: [number, JsonObject][]): JsonObject => ({
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred.map(([weight, one]) => ({
      weight,
      podAffinityTerm: one,
    })),
  });
  const isSaid = (...lists: unknown[][]): boolean => lists.some((list) => list.length > 0);
  return {
    affinity: {
      ...(isSaid(near, rather) ? { podAffinity: of(near, rather) } : {}),
      ...(isSaid(apart, ratherApart) ? { podAntiAffinity: of(apart, ratherApart) } : {}),
    },
  };
}

/** A pod with such terms. */
export interface AffinePod extends AffinityOf {
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: string;
  readonly status?: JsonObject;
  readonly node?: string;
}

/** A pod, on a node if one is given. */
export function pod({
  name = 'p',
  namespace = 'default',
  labels: text = '',
  status,
  node,
  ...of
}: AffinePod = {}): Pod {
  const podOf: PodOf = { name, namespace, labels: labels(text), spec: affinity(of) };
  return aPod({
    ...podOf,
    ...defined({ status }),
    ...(node === undefined
      ? {}
      : { nodeName: node, name: `${name}-${node}`, uid: `${name}-${node}-${namespace}-${text}` }),
  });
}

const team = (name: string, of: string): Namespace => decodedAs(RESOURCE, { metadata: { name, labels: { team: of } } });

/** The namespaces of two teams. */
export const NAMESPACES = [team('t1a', 'one'), team('t1b', 'one'), team('t2a', 'two'), team('t2b', 'two')];

/** The namespace selector for a team's namespaces. */
export const ofTeam = (name: string): JsonObject => ({
  namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'In', values: [name] }] },
});
