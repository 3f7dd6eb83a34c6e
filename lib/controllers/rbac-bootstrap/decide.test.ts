import { expect, test } from 'vitest';
import { typedObject } from '#lib/api/typed.ts';
import { CLUSTER_ROLES } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { binding, role } from '#lib/server/authorization/rbac/a-policy.ts';
import { AUTO_UPDATE } from '#lib/server/authorization/rbac/bootstrap-policy/policy.ts';
import { type Action, decide, type Policy } from './decide.ts';

const marks = (annotations: JsonObject = {}, labels: JsonObject = {}): JsonObject => ({
  metadata: { name: 'x', uid: 'u', annotations: { [AUTO_UPDATE]: 'true', ...annotations }, labels },
});
const gathers = (...labels: string[]): JsonObject => ({
  aggregationRule: { clusterRoleSelectors: labels.map((label) => ({ matchLabels: { [label]: 'true' } })) },
});
const NOTHING: Action = { do: 'nothing' };
const policy = (object: JsonObject): Policy => typedObject<Policy>(CLUSTER_ROLES, object);
const update = (object: JsonObject): Action => ({ do: 'update', object: policy(object) });

/** Upstream's TestComputeReconciledRole and …RoleBinding, without the removal of rules, which a server never does at startup. */
test.each<[string, JsonObject | undefined, JsonObject, Action]>([
  ['it does not exist', undefined, { ...marks(), ...role('get core pods') }, { do: 'create' }],
  ['it is up to date', { ...marks(), ...role('get core pods') }, { ...marks(), ...role('get core pods') }, NOTHING],
  [
    'it grants more',
    { ...marks({ a: 'b' }), ...role('* core pods') },
    { ...marks(), ...role('get core pods') },
    NOTHING,
  ],
  [
    'some rules are missing, which are added one by one',
    { ...marks(), ...role('get core pods', 'post /x') },
    { ...marks(), ...role('get,list core pods', 'get /x') },
    update({ ...marks(), ...role('get core pods', 'post /x', 'list core pods', 'get /x') }),
  ],
  [
    'its autoupdate annotation is false',
    { ...marks({ [AUTO_UPDATE]: 'false' }), ...role() },
    { ...marks(), ...role('get core pods') },
    NOTHING,
  ],
  [
    'labels and annotations are missing or differ',
    { ...marks({ a: 'mine' }, { own: '' }), ...role() },
    { ...marks({ a: 'theirs', b: '1' }, { c: '2' }), ...role() },
    update({ ...marks({ a: 'mine', b: '1' }, { c: '2', own: '' }), ...role() }),
  ],
  [
    'its aggregation rule is up to date',
    { ...marks(), ...gathers('a'), ...role('get core pods') },
    { ...marks(), ...gathers('a'), ...role() },
    NOTHING,
  ],
  [
    'its aggregation rule lacks selectors',
    { ...marks(), ...gathers('a'), ...role() },
    { ...marks(), ...gathers('b'), ...role() },
    update({ ...marks(), ...gathers('a', 'b'), ...role() }),
  ],
  [
    'it should not aggregate',
    { ...marks(), ...gathers('a'), ...role('get core pods') },
    { ...marks(), ...role('get core pods') },
    update({ ...marks(), ...role('get core pods') }),
  ],
  [
    'the expected subjects are bound',
    { ...marks(), ...binding('Role a', 'User u', 'User v') },
    { ...marks(), ...binding('Role a', 'User v') },
    NOTHING,
  ],
  [
    'a subject is missing',
    { ...marks(), ...binding('Role a', 'User u') },
    { ...marks(), ...binding('Role a', 'Group u', 'ServiceAccount n/s') },
    update({ ...marks(), ...binding('Role a', 'User u', 'Group u', 'ServiceAccount n/s') }),
  ],
  [
    'it refers to another role',
    { ...marks(), ...binding('Role a', 'User u') },
    { ...marks(), ...binding('Role b') },
    { do: 'recreate' },
  ],
  [
    'it refers to another role, and its autoupdate annotation is false',
    { ...marks({ [AUTO_UPDATE]: 'false' }), ...binding('Role a') },
    { ...marks(), ...binding('Role b') },
    NOTHING,
  ],
])('decides about a role or binding if %s', (_, current, expected, action) => {
  expect(decide(current && policy(current), policy(expected))).toEqual(action);
});
