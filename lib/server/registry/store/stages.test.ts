import { expect, test } from 'vitest';
import { defined } from '#lib/machinery/defined.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { aRequest } from '#lib/server/request/testing.ts';
import { NO_ADMISSION } from '../admission.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { OperationContext } from '../rest/context.ts';
import { type Draft, passStages, type Stage } from './stages.ts';

const DONE = { result: { object: {} }, created: false };

function aDraft(turn: ApiRequest['turn']): Draft {
  const context: Partial<OperationContext> = { admission: NO_ADMISSION, request: aRequest(defined({ turn })) };
  const definition: Partial<ResourceDefinition> = { custom: false };
  const draft: Partial<Draft> = { requestName: 'a', hub: {} };
  return { ...draft, context, definition } as Draft;
}

test('passes a draft through the stages in order and lets other requests run before each', async () => {
  const told: string[] = [];
  const around: Stage<Draft> = async (draft, next) => {
    told.push('before');
    const written = await next({ ...draft, requestName: 'b' });
    told.push('after');
    return written;
  };
  const last: Stage<Draft> = async ({ requestName }) => {
    told.push(`commit ${requestName}`);
    return DONE;
  };
  const others = async (): Promise<void> => void told.push('others');
  expect(await passStages([around, last], aDraft(others))).toBe(DONE);
  expect(told).toEqual(['others', 'before', 'others', 'commit b', 'after']);
});

test('ends a write when a stage throws, synchronously or later', async () => {
  const fault = new RangeError('no');
  const unreached: Stage<Draft> = () => expect.unreachable();
  const atOnce: Stage<Draft> = () => {
    throw fault;
  };
  await expect(passStages([atOnce, unreached], aDraft(undefined))).rejects.toBe(fault);
  await expect(passStages([async () => Promise.reject(fault), unreached], aDraft(undefined))).rejects.toBe(fault);
});

test('lets a stage run the remaining stages again', async () => {
  let runs = 0;
  const twice: Stage<Draft> = async (draft, next) => (await next(draft)) ?? next(draft);
  const last: Stage<Draft> = async () => (++runs === 1 ? undefined : DONE);
  expect(
    await passStages(
      [twice, last],
      aDraft(() => undefined),
    ),
  ).toBe(DONE);
});
