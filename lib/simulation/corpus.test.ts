import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeJson } from '#lib/machinery/json.ts';
import { arrayAt, clone, isObject, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import { defaultPod } from '#lib/server/registry/kinds/core/pod/defaults.ts';
import { podQOS } from '#lib/server/registry/kinds/core/pod/qos.ts';
import { aPod, Life } from './a-pod.ts';

const fixtures = process.env['DAVIT_FIXTURES'];
if (fixtures === undefined) console.log('skipped: DAVIT_FIXTURES names no folder with what a kubelet reported');

/** The behaviour of each recorded pod as annotations. Their containers trap SIGTERM and exit with 0. */
const BEHAVIOURS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'exit-0-never': { 'exit-after': '0s' },
  'exit-0-onfailure': { 'exit-after': '0s' },
  'exit-1-never': { 'exit-code': '1' },
  'exit-3-never': { 'exit-code': '3' },
  'exit-42-never': { 'exit-code': '42' },
  'exit-137-never': { 'exit-code': '137' },
  'exit-1-onfailure': { 'exit-code': '1' },
  'exit-0-always': { 'exit-after': '0s' },
  'crash-loop': { 'exit-code': '7' },
  'sleep-ready': {},
  'two-containers-one-fails': { 'exit-code': '5', container: 'b' },
  'downward-env': { 'exit-after': '0s' },
  'vol-configmap-missing': { 'start-delay': '1h' },
  'init-two': { 'exit-after': '0s' },
  'init-fails-never': { 'init-exit-code': '4' },
  'init-fails-always': { 'init-exit-code': '4' },
  sidecar: { 'exit-after': '0s' },
  'sidecar-ready': {},
  'ready-never': { 'ready-delay': 'never' },
  'readiness-gate': {},
  'qos-guaranteed': { 'exit-after': '0s' },
  'qos-besteffort': { 'exit-after': '0s' },
  'active-deadline': {},
  'host-network': { 'exit-after': '0s' },
};

/** A status without times, ids and addresses, which the recording omits. */
function cleaned(status: JsonObject): JsonObject {
  const clean = clone(status);
  for (const field of ['startTime', 'podIPs', 'hostIPs', 'resources']) delete clean[field];
  for (const field of ['podIP', 'hostIP']) if (clean[field] !== undefined) clean[field] = 'IP';
  if (Object.keys(objectAt(clean, 'allocatedResources') ?? {}).length === 0) delete clean['allocatedResources'];
  const conditions = items(clean, 'conditions');
  for (const one of conditions) for (const field of ['lastTransitionTime', 'lastProbeTime']) delete one[field];
  clean['conditions'] = conditions.sort((a, b) => (text(a, 'type') < text(b, 'type') ? -1 : 1));
  for (const field of ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'])
    for (const one of arrayAt(clean, field).filter(isObject)) cleanContainer(one);
  return clean;
}

function cleanContainer(status: JsonObject): void {
  for (const field of ['containerID', 'imageID', 'volumeMounts']) delete status[field];
  for (const state of [objectAt(status, 'state'), objectAt(status, 'lastState')])
    for (const detail of Object.values(state ?? {}).filter(isObject))
      for (const field of ['startedAt', 'finishedAt', 'containerID']) delete detail[field];
}

function* recorded(): Generator<JsonObject> {
  const file = gunzipSync(readFileSync(join(fixtures ?? '', 'corpus', 'kubelet.jsonl.gz'))).toString();
  for (const line of file.trimEnd().split('\n')) {
    const { value } = decodeJson(Buffer.from(line));
    if (isObject(value)) yield value;
  }
}

function liveAs(entry: JsonObject): JsonObject[] {
  const spec = clone(objectAt(entry, 'spec') ?? {});
  const pod = aPod({ behaves: { 'stop-exit-code': '0', ...BEHAVIOURS[text(entry, 'name')] }, spec });
  defaultPod(pod);
  const status = { phase: 'Pending', qosClass: podQOS(pod.spec) };
  const life = new Life({ ...pod, status });
  life.until(60);
  return life.statuses.map(cleaned);
}

describe.skipIf(fixtures === undefined)('statuses reported by a kubelet (needs DAVIT_FIXTURES)', () => {
  const entries = fixtures === undefined ? [] : [...recorded()].filter((entry) => text(entry, 'name') in BEHAVIOURS);

  test('compares only recorded pods', () => {
    expect(entries.map((entry) => text(entry, 'name')).sort()).toEqual(Object.keys(BEHAVIOURS).sort());
  });

  test.each(entries.map((entry) => [text(entry, 'name'), entry] as const))(
    'reproduces the statuses of %s',
    (_, entry) => {
      expect(liveAs(entry)).toContainEqual(objectAt(entry, 'status'));
    },
  );
});
