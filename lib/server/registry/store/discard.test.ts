import { expect, test } from 'vitest';
import { resourcesOf, servedGroupVersions } from '#lib/api/kinds.ts';
import { parseStored } from '#lib/machinery/json.ts';
import { isObject } from '#lib/machinery/json-value.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { Storage } from '#lib/storage/storage.ts';
import { NO_ADMISSION } from '../admission.ts';
import { builtInScheme } from '../built-in-scheme.ts';
import { STRATEGIES } from '../kinds/strategies.ts';
import { printerOf } from '../printers/printers.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { OperationContext } from '../rest/context.ts';
import { summarizeBody } from '../summarize-body.ts';
import { discardObject } from './discard.ts';

const STORED = servedGroupVersions()
  .flatMap(resourcesOf)
  .flatMap((facts) => (facts.storage === undefined ? [] : [{ facts, storage: facts.storage }]));

/** A storage in which every object is damaged. Passes the final state of a discarded object to `discarded`. */
function damaged(discarded: (body: Uint8Array) => void): Storage {
  const storage: Partial<Storage> = {
    get: () => Promise.reject(new StoreError('Corrupt', 'damaged')),
    discard: async (_, body) => {
      discarded(body);
      return true;
    },
  };
  return storage as Storage;
}

async function lastStateOf({ facts, storage: stored }: (typeof STORED)[number]): Promise<Uint8Array> {
  const strategy = STRATEGIES[`${facts.group}/${facts.resource}`] ?? {};
  let last = new Uint8Array();
  const definition: Partial<ResourceDefinition> = {
    resource: facts,
    storedAs: { ...stored, resource: facts.resource },
    namespaced: facts.namespaced,
    custom: false,
    strategy,
    scheme: builtInScheme(facts, strategy, stored),
    storage: damaged((body) => {
      last = new Uint8Array(body);
    }),
  };
  const context: Partial<OperationContext> = { cluster: 'c', namespace: 'team', admission: NO_ADMISSION };
  const done = await discardObject(definition as ResourceDefinition, context as OperationContext, 'x', { dryRun: [] });
  expect(done).toBe(true);
  return last;
}

test('sends watchers of a discarded object a last state that can be printed and summarized', async () => {
  expect(STORED.length).toBeGreaterThan(50);
  for (const one of STORED) {
    const body = await lastStateOf(one);
    const object = parseStored(body);
    if (!isObject(object)) throw new TypeError('the last state is no object');
    const { facts, storage } = one;
    const shown = builtInScheme(facts, {}, storage).fromStored(object);
    expect(printerOf(facts).cells(shown, new Date(0))[0], facts.resource).not.toBe('');
    expect(() => summarizeBody(body)).not.toThrow();
  }
});
