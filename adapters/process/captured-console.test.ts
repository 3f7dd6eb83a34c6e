import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseDeclaration } from '#lib/client/controller/declaration.ts';
import { defineReconciler } from '#lib/client/controller/define-reconciler.ts';
import type { Logger } from '#lib/client/controller/logger.ts';
import { captureConsole, withConsole, withOwnConsole } from './captured-console.ts';

const { log, info, debug, warn, error } = console;
const before = { log, info, debug, warn, error };
const lines: string[] = [];
const logger = (name: string): Logger => ({
  info: (message) => void lines.push(`${name} info ${message}`),
  error: (message) => void lines.push(`${name} error ${message}`),
});

beforeEach(() => void (lines.length = 0));
afterEach(() => void Object.assign(console, before));

test("sends a call's console output to its logger, even after an await, and leaves other output unchanged", async () => {
  captureConsole(logger('file'));
  const call = (name: string): Promise<void> =>
    withConsole(logger(name), async () => {
      console.log('%s of %d', 'one', 2);
      await Promise.resolve();
      console.error('late');
    });
  await Promise.all([call('a'), call('b')]);
  console.warn('nobody');
  expect(lines).toEqual(['a info one of 2', 'b info one of 2', 'a error late', 'b error late', 'file error nobody']);
});

test('lets a logger print to the console', () => {
  console.info = (text: string): void => void lines.push(`printed ${text}`);
  captureConsole();
  withConsole({ ...logger('a'), info: (message) => console.info(`line: ${message}`) }, () => console.info('one'));
  console.info('two');
  expect(lines).toEqual(['printed line: one', 'printed two']);
});

test("sends a reconciler's console output to the logger of the attempt", async () => {
  captureConsole();
  const declaration = { name: 'sites', for: { apiVersion: 'v1', kind: 'Secret' } };
  const defined = withOwnConsole(defineReconciler(declaration, async () => void console.log('one')));
  await defined.reconcile({ namespace: '', name: 'a' }, { log: logger('attempt') } as never);
  expect(defined.declaration).toEqual(parseDeclaration(declaration));
  expect(lines).toEqual(['attempt info one']);
});
