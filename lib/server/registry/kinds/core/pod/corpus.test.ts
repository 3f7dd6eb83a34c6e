import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeTyped } from '#lib/api/codec/decode.ts';
import { DecodeError } from '#lib/api/codec/error.ts';
import { MIRROR_POD } from '#lib/helpers/component-helpers/pod/mirror.ts';
import { invalid, StatusError } from '#lib/machinery/errors.ts';
import { isObject, type Json, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { QuantityError } from '#lib/machinery/resource/quantity.ts';
import { TimeError } from '#lib/machinery/time.ts';
import { ensure, has, items, text } from '#lib/machinery/unstructured.ts';
import { FieldPath } from '#lib/machinery/validation/field.ts';
import { nameIsDNSSubdomain } from '#lib/machinery/validation/names.ts';
import { validateObjectMeta } from '#lib/machinery/validation/object-meta.ts';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { skipUnless } from '#test/support/skip.ts';
import type { KindStrategy } from '../../../strategy.ts';
import { appsStrategies } from '../../apps/strategies.ts';
import { batchStrategies } from '../../batch/strategies.ts';
import { semanticEqual } from '../../shared/semantic.ts';
import { workloadStrategies } from '../workload-strategies.ts';

const fixtures = process.env['DAVIT_FIXTURES'];
const FILE = `${fixtures}/corpus/builtin.jsonl.gz`;

const RESOURCES: Readonly<Record<string, string>> = {
  'v1|Pod': '/pods',
  'v1|PodTemplate': '/podtemplates',
  'v1|ReplicationController': '/replicationcontrollers',
  'apps/v1|ControllerRevision': 'apps/controllerrevisions',
  'apps/v1|DaemonSet': 'apps/daemonsets',
  'apps/v1|Deployment': 'apps/deployments',
  'apps/v1|ReplicaSet': 'apps/replicasets',
  'apps/v1|StatefulSet': 'apps/statefulsets',
  'batch/v1|CronJob': 'batch/cronjobs',
  'batch/v1|Job': 'batch/jobs',
};
const STRATEGIES = { ...workloadStrategies, ...appsStrategies, ...batchStrategies };

interface Cause {
  readonly field: string;
  readonly message: string;
}
interface Answer {
  readonly code: number;
  readonly message?: string;
  readonly causes?: readonly Cause[];
  readonly out?: JsonObject;
}
interface Entry extends Answer {
  readonly kind: string;
  readonly object: JsonObject;
  readonly mutation?: string;
}

const CONTEXT = aRequestContext();
const UID = '00000000-0000-0000-0000-000000000000';

/** Whether the error is an API error. Any other error is a bug. */
const isRefusal = (error: unknown): boolean =>
  [DecodeError, QuantityError, TimeError].some((known) => error instanceof known) ||
  (error instanceof StatusError && error.code === 400);

/** Handles a create like the server: decodes, defaults, admits, prepares and validates. */
function create({ kind: key, object }: Entry): Answer {
  const [version = '', kind = ''] = key.split('|');
  const [group, v = version] = version.includes('/') ? version.split('/') : ['', version];
  const strategy = STRATEGIES[RESOURCES[key] as string] as KindStrategy;
  let hub: JsonObject;
  try {
    hub = decodeTyped({ group: group ?? '', version: v, kind }, object).object;
    strategy.default?.(hub);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { code: 400 };
  }
  const once = JSON.stringify(hub);
  strategy.default?.(hub);
  expect(JSON.stringify(hub)).toBe(once);
  const metadata = ensure(hub, 'metadata');
  Object.assign(metadata, { namespace: 'default', uid: UID });
  if (kind === 'Pod' && !has(objectAt(metadata, 'annotations'), MIRROR_POD)) admit(ensure(hub, 'spec'));
  strategy.prepareForCreate?.(hub, CONTEXT);
  const validateName = strategy.validateName ?? nameIsDNSSubdomain;
  const meta = validateObjectMeta(metadata, { namespaced: true, validateName, path: FieldPath.of('metadata') });
  const errors = [...meta, ...(strategy.validate?.(hub) ?? [])];
  if (errors.length === 0) return { code: 201, out: hub };
  const error = invalid({ group: group ?? '', kind }, text(metadata, 'name'), errors);
  return { code: 422, message: error.message, causes: error.details?.causes as Cause[] };
}

/** Sets the service account as its admission plugin does. The recorded response is stripped of the plugin's volumes. */
function admit(spec: JsonObject): void {
  spec['serviceAccountName'] ??= 'default';
}

const SERVER_FIELDS = ['uid', 'creationTimestamp', 'generation', 'managedFields', 'resourceVersion', 'selfLink'];
const TOKEN = 'kube-api-access-';
const ADDED_TOLERATIONS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

function stripped(object: JsonObject): JsonObject {
  const metadata = Object.fromEntries(
    Object.entries(object['metadata'] as JsonObject).filter(([field]) => !SERVER_FIELDS.includes(field)),
  );
  const copy: JsonObject = { ...(canonical(object) as JsonObject), metadata: canonical(metadata) };
  const spec = copy['spec'];
  if (copy['kind'] === 'Pod' && isObject(spec)) stripAdmission(spec);
  return copy;
}

function stripAdmission(spec: JsonObject): void {
  delete spec['priority'];
  delete spec['preemptionPolicy'];
  spec['volumes'] = items(spec, 'volumes').filter((volume) => !text(volume, 'name').startsWith(TOKEN));
  for (const container of [...items(spec, 'containers'), ...items(spec, 'initContainers')]) {
    const mounts = items(container, 'volumeMounts');
    container['volumeMounts'] = mounts.filter((mount) => !text(mount, 'name').startsWith(TOKEN));
  }
  const tolerations = items(spec, 'tolerations');
  spec['tolerations'] = tolerations.filter(
    (one) => !(ADDED_TOLERATIONS.includes(text(one, 'key')) && one['tolerationSeconds'] === 300),
  );
}

function canonical(value: Json): Json {
  if (typeof value === 'string') return norm(value);
  if (Array.isArray(value)) return value.map(canonical);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, item]) => [field, /(^|\/)controller-uid$/.test(field) ? '*' : canonical(item)]),
  );
}

function norm(value: string): string {
  return value
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '*')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '*');
}

/** The paths at which two objects differ. */
function differences(got: Json | undefined, want: Json | undefined, path = ''): string[] {
  if (semanticEqual(got, want)) return [];
  if (isObject(got) && isObject(want)) {
    return [...new Set([...Object.keys(got), ...Object.keys(want)])].flatMap((field) =>
      differences(got[field], want[field], `${path}.${field}`),
    );
  }
  if (Array.isArray(got) && Array.isArray(want) && got.length === want.length) {
    return got.flatMap((item, i) => differences(item, want[i], `${path}[${i}]`));
  }
  return [`${path}: got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`];
}

const fieldsOf = (answer: Answer): string =>
  [...new Set((answer.causes ?? []).map((cause) => norm(cause.field)))].sort().join();
const textsOf = (answer: Answer): string =>
  (answer.causes ?? [])
    .map((cause) => norm(`${cause.field}: ${cause.message}`))
    .sort()
    .join('\n');

interface Score {
  seen: number;
  right: number;
}

describe('recorded responses of a real server', skipUnless(fixtures !== undefined, 'DAVIT_FIXTURES is not set'), () => {
  const lines = fixtures !== undefined ? gunzipSync(readFileSync(FILE)).toString().trim().split('\n') : [];
  const entries = lines.map((line) => JSON.parse(line) as Entry).filter(({ kind }) => Object.hasOwn(RESOURCES, kind));

  test('are reproduced with status, object, fields and messages', () => {
    const scores: Record<string, Score> = {};
    const wrong: string[] = [];
    const score = (name: string, right: boolean, why: () => string): void => {
      const one = (scores[name] ??= { seen: 0, right: 0 });
      one.seen++;
      if (right) one.right++;
      else wrong.push(`${name} ${why()}`);
    };
    for (const entry of entries) {
      const answer = create(entry);
      const what = `${entry.kind} ${text(entry.object['metadata'] as JsonObject, 'name')} ${entry.mutation ?? ''}`;
      const told = (): string =>
        `${what}\n  want ${entry.code} ${entry.message}\n  got  ${answer.code} ${answer.message}`;
      score('verdict', answer.code === entry.code, told);
      if (answer.code !== entry.code) continue;
      if (entry.out !== undefined && answer.out !== undefined) {
        const [want, got] = [stripped(entry.out), stripped(answer.out)];
        score('object', semanticEqual(got, want), () => `${what}\n  ${differences(got, want).join('\n  ')}`);
      }
      if (entry.code !== 422) continue;
      score('fields', fieldsOf(answer) === fieldsOf(entry), told);
      score('texts', textsOf(answer) === textsOf(entry), told);
    }
    if (process.env['DAVIT_SHOW'] !== undefined)
      console.log(wrong.slice(0, Number(process.env['DAVIT_SHOW'])).join('\n'));
    console.log(
      Object.entries(scores)
        .map(([name, { seen, right }]) => `${name} ${right}/${seen}`)
        .join(', '),
    );
    expect(Object.keys(scores)).toEqual(['verdict', 'object', 'fields', 'texts']);
    expect(wrong).toEqual([]);
  });
});
