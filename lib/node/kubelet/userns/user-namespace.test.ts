import { expect, test } from 'vitest';
import { podOf } from '../testing/decoded-pod.ts';
import { userNamespace } from './user-namespace.ts';

test.each([{}, { hostUsers: true }])("uses the node's user namespace for a pod with %j", (spec) => {
  expect(userNamespace(podOf(spec), { handler: '', handlers: [] })).toEqual({ mode: 2, uids: [], gids: [] });
});

const RUNC = { name: 'runc', features: { recursiveReadOnlyMounts: false, userNamespaces: true } };

test.each([
  ['', [], "can't set `spec.hostUsers: false`, runtime does not support user namespaces"],
  [
    '',
    [RUNC],
    'can\'t set `spec.hostUsers: false`, runtime does not support user namespaces: the handler "" is not known',
  ],
  ['runc', [RUNC], 'can\'t set `spec.hostUsers: false`, RuntimeClass handler "runc" does not support user namespaces'],
])('rejects a pod with the handler %j that requests its own', (handler, handlers, message) => {
  expect(() => userNamespace(podOf({ hostUsers: false }), { handler, handlers })).toThrow(new Error(message));
});
