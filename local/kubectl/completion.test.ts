import { expect, test } from 'vitest';
import type { Invocation } from '#lib/sdk/invocation/invocation.ts';
import { complete } from './completion.ts';
import { type Kubectl, KubectlFault } from './kubectl.ts';

const object = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'team', name: 'home' };
const ITEMS = [
  { type: 'Reconcile', function: 'sites', object },
  { type: 'Reconcile', function: 'sites', object: { ...object, namespace: '', name: 'alone' } },
  { type: 'Webhook', function: 'limits', object },
] as Invocation[];

const never = async (): Promise<never> => expect.fail('is not asked');

function aKubectl(connection: readonly string[], isDown: boolean): Kubectl {
  return {
    run: never,
    object: never,
    post: never,
    complete: async (words) => `${[...connection, ...words].join(' ')}\n:6\n`,
    async get(path) {
      if (isDown) throw new KubectlFault('connection refused');
      const asked = new URLSearchParams(path.split('?')[1]).get('function');
      return { cursor: 3, items: ITEMS.filter((one) => asked === null || one.function === asked) };
    },
  };
}

const completed = (line: string, isDown = false) =>
  complete(line.split(' '), (connection) => aKubectl(connection, isDown));

test.each([
  [
    '',
    ['trace', 'functions', 'invocations', 'logs', 'exec', 'attach', 'port-forward', 'cp', 'replay', 'netpol', 'which'],
  ],
  ['netpol ', ['explain']],
  ['in', ['invocations']],
  ['invocations --f', ['--failed']],
  ['trace --si', ['--since']],
  ['invocations --reconciler ', ['sites', 'limits']],
  ['invocations --reconciler l', ['limits']],
  ['invocations -o ', ['json']],
  ['replay ', ['sites']],
  ['replay sites ', ['team/home', 'alone']],
  ['replay sites team/home ', []],
  ['which ', []],
  ['--context x replay s', ['sites']],
])('completes "%s" to %j', async (line, expected) => {
  const { lines, directive } = await completed(line);
  expect(lines.map((one) => one.split('\t')[0])).toEqual(expected);
  expect(directive).toBe(4);
});

test.each([
  ['trace ', 'get '],
  ['trace deployment/w', 'get deployment/w'],
  ['trace deployment ', 'get deployment '],
  ['-n team trace pod/', '-n team get pod/'],
  ['trace --context a --as=b pod/', '--context a --as=b get pod/'],
  ['trace --context ', 'get --context '],
  ['invocations -n t', 'get -n t'],
])('leaves the completion of "%s" to kubectl', async (line, expected) => {
  expect(await completed(line)).toEqual({ lines: [expected], directive: 6 });
});

test('offers no completion if no server responds', async () => {
  expect(await completed('replay ', true)).toEqual({ lines: [], directive: 4 });
});
