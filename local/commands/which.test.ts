import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ask } from './which.ts';
import { isLeaf, type Leaf, type Question, WHICH } from './which-tree.ts';

const NEW = 'the API by data of a new kind';
const HOLD = 'what requests may hold';

const ways: readonly (readonly [use: string, ...answers: string[]])[] = [
  ['a client-go credential plugin', 'only the commands', 'yes'],
  ['a kubectl plugin', 'only the commands', 'no'],
  ['a Secret', NEW, 'yes', 'yes'],
  ['a ConfigMap', NEW, 'yes', 'no'],
  ['an API of its own', NEW, 'no', 'no'],
  ['an API of its own', NEW, 'no', 'yes', 'yes'],
  ['an API of its own', NEW, 'no', 'yes', 'no', 'no'],
  ['an aggregated API', NEW, 'no', 'yes', 'no', 'yes', 'yes'],
  ['a CustomResourceDefinition with a reconciler', NEW, 'no', 'yes', 'no', 'yes', 'no', 'yes'],
  ['a CustomResourceDefinition', NEW, 'no', 'yes', 'no', 'yes', 'no', 'no'],
  ['an authenticating proxy', 'who is known', 'yes'],
  ['an AuthenticationConfiguration', 'who is known', 'no', 'yes'],
  ['a token review webhook', 'who is known', 'no', 'no'],
  ['RBAC', 'who may do what', 'yes'],
  ['an authorization webhook', 'who may do what', 'no'],
  ['a built-in policy', HOLD, 'yes'],
  ['an image policy webhook', HOLD, 'no', 'yes'],
  ['a MutatingAdmissionPolicy', HOLD, 'no', 'no', 'yes', 'yes'],
  ['a mutating webhook', HOLD, 'no', 'no', 'yes', 'no'],
  ['a ValidatingAdmissionPolicy', HOLD, 'no', 'no', 'no', 'yes'],
  ['a validating webhook', HOLD, 'no', 'no', 'no', 'no'],
  ['a reconciler', 'what happens'],
  ['a scheduler profile', 'which node', 'yes'],
  ['a scheduler extender', 'which node', 'no', 'yes'],
  ['a scheduler of your own', 'which node', 'no', 'no'],
  ['a device plugin', 'what nodes', 'offer'],
  ['a network plugin', 'what nodes', 'connect'],
  ['a CSI driver', 'what nodes', 'mount'],
  ['an image credential provider', 'what nodes', 'pull'],
  ['the service catalog', 'pods by services'],
];

async function asked(answers: readonly string[]): Promise<{ readonly leaf: Leaf | undefined; readonly said: string }> {
  const output = new PassThrough();
  const said = text(output);
  const leaf = await ask(Readable.from(answers.map((line) => `${line}\n`)), output);
  output.end();
  return { leaf, said: await said };
}

test.each(ways)('leads to the result of %s', async (use, ...answers) => {
  const { leaf, said } = await asked(answers);
  expect(leaf?.use).toBe(use);
  expect(said).toContain(`Use ${use}: `);
});

function paths(node: Question | Leaf, questions = 0): number[] {
  return isLeaf(node) ? [questions] : node.answers.flatMap(([, to]) => paths(to, questions + 1));
}

test('every result is tested above, after at most eight questions', () => {
  expect(paths(WHICH)).toHaveLength(ways.length);
  expect(Math.max(...paths(WHICH))).toBeLessThanOrEqual(8);
});

test('accepts a number, repeats a question after an invalid answer, and ends with the input', async () => {
  expect((await asked(['nonsense', 'what', '5', 'y'])).leaf?.use).toBe('a built-in policy');
  expect((await asked(['2'])).leaf).toBeUndefined();
});
