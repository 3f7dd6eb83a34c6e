import { expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import { conflict, notFound } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { type PodOutcome, writePodOutcome } from './pod-status.ts';
import { aHandle, aPod } from './testing/wrappers.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');
const refusal = { reason: 'Unschedulable', message: 'no room' } as const;
const since = '2026-01-01T00:00:00Z';
const told = { type: 'PodScheduled', status: 'False', lastTransitionTime: since, ...refusal };
const ready = { type: 'Ready', status: 'False', lastProbeTime: null, lastTransitionTime: null };

/** The writes of the pod's status. The server returns each of the errors once before it accepts a write. */
async function written(pod: Pod, outcome: PodOutcome, ...answers: Error[]): Promise<unknown[]> {
  return writtenBeside(pod, pod, outcome, ...answers);
}

/** The writes if the pod is read again as `now`. */
async function writtenBeside(now: Pod, pod: Pod, outcome: PodOutcome, ...answers: Error[]): Promise<unknown[]> {
  const patches: unknown[] = [];
  const client: Client = {
    ...aHandle().client,
    get: async () => ({ ...now, metadata: { ...now.metadata, resourceVersion: 'newer' } }),
    async patch(_ref, patch, subresource) {
      const answer = answers.shift();
      if (answer !== undefined) throw answer;
      patches.push([subresource, patch['status']]);
      return patch;
    },
  };
  await writePodOutcome(clientset(client), { pod, now: NOW }, outcome);
  return patches;
}

const conditions = (...list: object[]) => [['status', { conditions: list }]];
const anew = { ...told, lastTransitionTime: '2026-01-02T03:04:05Z' };

test.each<[string, JsonObject, PodOutcome, object[]]>([
  ['is written the first time', {}, { refusal }, conditions(expect.objectContaining(anew))],
  [
    'is added to other conditions',
    { conditions: [ready] },
    { refusal },
    conditions(ready, expect.objectContaining(anew)),
  ],
  ['is not written again', { conditions: [told] }, { refusal }, []],
  [
    'keeps its transition time when its reason changes',
    { conditions: [{ ...told, message: 'no node' }, ready] },
    { refusal },
    conditions(expect.objectContaining(told), ready),
  ],
  [
    'replaces PodScheduled=True',
    { conditions: [{ ...told, status: 'True' }] },
    { refusal },
    conditions(expect.objectContaining(anew)),
  ],
  ['is written with a nomination', {}, { nominatedNodeName: 'n1' }, [['status', { nominatedNodeName: 'n1' }]]],
  [
    'clears a nomination',
    { nominatedNodeName: 'n1' },
    { nominatedNodeName: '' },
    [['status', { nominatedNodeName: null }]],
  ],
  ['keeps an unchanged nomination', { nominatedNodeName: 'n1' }, { nominatedNodeName: 'n1' }, []],
  ['keeps a nomination if none is given', { nominatedNodeName: 'n1' }, {}, []],
])('writes the outcome of an attempt: a refusal %s', async (_, status, outcome, expected) => {
  expect(await written(aPod({ status }), outcome)).toEqual(expected);
});

const pods = { group: '', resource: 'pods' };

test('reads the pod again after a conflict', async () => {
  expect(await written(aPod(), { refusal }, conflict(pods, 'pod', 'why'))).toHaveLength(1);
});

test('ignores a pod that was bound meanwhile', async () => {
  const bound = aPod({ spec: { nodeName: 'n1' } });
  const outcome = { refusal, nominatedNodeName: 'n1' };
  expect(await writtenBeside(bound, aPod(), outcome, conflict(pods, 'pod', 'why'))).toEqual([]);
});

test('ignores a pod that was deleted', async () => {
  expect(await written(aPod(), { refusal }, notFound(pods, 'pod'))).toEqual([]);
});

test('throws any other error', async () => {
  await expect(written(aPod(), { refusal }, new Error('no route'))).rejects.toThrow('no route');
});
