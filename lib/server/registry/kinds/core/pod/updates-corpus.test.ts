import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeTyped } from '#lib/api/codec/decode.ts';
import { applyJsonPatch, decodeJsonPatch } from '#lib/api/patch/json-patch.ts';
import { applyMergePatch } from '#lib/api/patch/merge-patch.ts';
import { clone, isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { errorBody } from '#lib/machinery/validation/field.ts';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { skipUnless } from '#test/support/skip.ts';
import type { KindStrategy } from '../../../strategy.ts';
import { appsStrategies } from '../../apps/strategies.ts';
import { batchStrategies } from '../../batch/strategies.ts';
import { semanticEqual } from '../../shared/semantic.ts';
import { workloadStrategies } from '../workload-strategies.ts';

const fixtures = process.env['DAVIT_FIXTURES'];
const FILE = `${fixtures}/corpus/patches.jsonl.gz`;

const STRATEGIES: Readonly<Record<string, KindStrategy | undefined>> = {
  pods: workloadStrategies['/pods'],
  deployments: appsStrategies['apps/deployments'],
  statefulsets: appsStrategies['apps/statefulsets'],
  cronjobs: batchStrategies['batch/cronjobs'],
};

interface Cause {
  readonly field: string;
  readonly message: string;
}
interface Step {
  readonly op: string;
  readonly body: Json;
  readonly answer: { readonly code: number; readonly causes?: readonly Cause[]; readonly out?: JsonObject };
}
interface Sequence {
  readonly path: string;
  readonly steps: readonly Step[];
}

const CONTEXT = aRequestContext();

/** The object that a step requests. Undefined if the step is neither an update nor a merge or JSON patch. */
function wanted({ op, body }: Step, state: JsonObject): Json | undefined {
  if (op === 'update') return body;
  if (op === 'merge') return applyMergePatch(clone(state), body);
  return op === 'json' ? applyJsonPatch(clone(state), decodeJsonPatch(body)) : undefined;
}

/** Decodes without managed fields, whose timestamps are not recorded. */
function decode(object: JsonObject, state: JsonObject): JsonObject {
  const [group = '', version = ''] = `/${String(state['apiVersion'])}`.split('/').slice(-2);
  const metadata = { ...(object['metadata'] as JsonObject), managedFields: null };
  return decodeTyped({ group, version, kind: String(state['kind']) }, { ...object, metadata }).object;
}

/** Causes about the spec, since the registry validates metadata. Excludes the diff in messages, which uses upstream's internal types. */
function comparable(causes: readonly Cause[]): string {
  const texts = causes
    .filter(({ field }) => !field.startsWith('metadata'))
    .map(({ field, message }) => `${field}: ${message.split('\n')[0]}`);
  return [...new Set(texts)].sort().join('\n');
}

function withoutMetadata(object: JsonObject): JsonObject {
  return { ...object, metadata: null };
}

describe('recorded updates of a real server', skipUnless(fixtures !== undefined, 'DAVIT_FIXTURES is not set'), () => {
  const lines = fixtures !== undefined ? gunzipSync(readFileSync(FILE)).toString().trim().split('\n') : [];
  // The recording replaces generated suffixes with a star, which is invalid in a name.
  const named = lines.map((line) => line.replaceAll('kube-api-access-*', 'kube-api-access-abcde'));
  const sequences = named.map((line) => JSON.parse(line) as Sequence);

  test.each(Object.keys(STRATEGIES))('are reproduced with the same responses for %s', (resource) => {
    const strategy = STRATEGIES[resource] as KindStrategy;
    const wrong: string[] = [];
    let seen = 0;
    for (const { path, steps } of sequences) {
      let state: JsonObject | undefined;
      if (!path.endsWith(`/${resource}`)) continue;
      for (const step of steps) {
        const { code, out, causes = [] } = step.answer;
        const refusedEarly = code !== 200 && causes.length === 0;
        const asked = state === undefined || refusedEarly ? undefined : wanted(step, state);
        if (state !== undefined && isObject(asked)) {
          seen++;
          const object = decode(asked, state);
          strategy.default?.(object);
          strategy.prepareForUpdate?.(object, state, CONTEXT);
          const errors = strategy.validateUpdate?.(object, state) ?? [];
          const got = comparable(errors.map((error) => ({ field: error.field, message: errorBody(error) })));
          const right = out === undefined || semanticEqual(withoutMetadata(object), withoutMetadata(out));
          if (got !== comparable(causes)) wrong.push(`want ${comparable(causes)}\ngot  ${got}`);
          else if (!right) wrong.push(`want ${JSON.stringify(out)}\ngot  ${JSON.stringify(object)}`);
        }
        if (out !== undefined) state = out;
      }
    }
    expect(seen).toBeGreaterThan(30);
    expect(wrong).toEqual([]);
  });
});
