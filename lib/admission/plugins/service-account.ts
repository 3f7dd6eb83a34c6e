import type { Clock } from '#lib/machinery/clock.ts';
import { quote } from '#lib/machinery/go.ts';
import { arrayAt, clone, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import { ensure, flag, items, text } from '#lib/machinery/unstructured.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { Attributes } from '#lib/registry/admission.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { refusal } from '../refusal.ts';
import { secretNames } from '#lib/registry/kinds/core/pod/secret-names.ts';
import { refuseForeignSecrets } from '../secret-references.ts';
import { mountToken } from '../token-volume.ts';

const ACCOUNTS = { group: '', resource: 'serviceaccounts' };
const DEFAULT = 'default';
const MIRROR = 'kubernetes.io/config.mirror';
const ENFORCE = 'kubernetes.io/enforce-mountable-secrets';

/** A namespace's default account is made a moment after the namespace: how often and how long a pod waits for it. */
const ATTEMPTS = 10;
const PAUSE = 150;

/** Every pod acts as an account of its namespace, and has that account's token and pull secrets. */
export function serviceAccount(lookup: Lookup, clock: Clock): AdmissionPlugin {
  const accountOf = async (attributes: Attributes, name: string): Promise<JsonObject> => {
    const at = { ...ACCOUNTS, namespace: attributes.namespace };
    for (let left = name === DEFAULT ? ATTEMPTS : 1; ; ) {
      const account = await lookup.find(at, name);
      if (account !== undefined) return account;
      if (--left === 0) throw absent(attributes, name);
      await clock.sleep(PAUSE);
    }
  };
  const check = async (attributes: Attributes, pod: JsonObject): Promise<void> => {
    if (isMirror(pod)) return checkMirror(attributes, pod);
    const name = text(ensure(pod, 'spec'), 'serviceAccountName');
    if (name === '')
      throw refusal(attributes, `no service account specified for pod ${attributes.namespace}/${attributes.name}`);
    const account = await accountOf(attributes, name);
    if (isTrue(annotationsOf(account)[ENFORCE])) refuseForeignSecrets(attributes, account, pod);
  };
  return {
    name: 'ServiceAccount',
    operations: ['CREATE', 'UPDATE'],
    about: ['/pods'],
    async admit(attributes) {
      const pod = createdPod(attributes);
      if (pod === undefined) return;
      if (isMirror(pod)) return checkMirror(attributes, pod);
      const spec = ensure(pod, 'spec');
      if (text(spec, 'serviceAccountName') === '') spec['serviceAccountName'] = DEFAULT;
      spec['serviceAccount'] = text(spec, 'serviceAccountName');
      const account = await accountOf(attributes, text(spec, 'serviceAccountName'));
      if (flag(spec, 'automountServiceAccountToken') ?? flag(account, 'automountServiceAccountToken') ?? true)
        mountToken(spec);
      inheritPullSecrets(spec, account);
    },
    async validate(attributes) {
      const pod = createdPod(attributes) ?? debuggedPod(attributes);
      if (pod !== undefined) await check(attributes, pod);
    },
  };
}

function createdPod(attributes: Attributes): JsonObject | undefined {
  return attributes.operation === 'CREATE' && isPod(attributes, '') ? attributes.object : undefined;
}

function debuggedPod(attributes: Attributes): JsonObject | undefined {
  return attributes.operation === 'UPDATE' && isPod(attributes, 'ephemeralcontainers') ? attributes.object : undefined;
}

const isPod = ({ resource, subresource }: Attributes, expected: string): boolean =>
  resource.group === '' && resource.resource === 'pods' && subresource === expected;

const isMirror = (pod: JsonObject): boolean => MIRROR in annotationsOf(pod);

const isTrue = (value: string | undefined): boolean => ['1', 't', 'T', 'TRUE', 'true', 'True'].includes(value ?? '');

function absent(attributes: Attributes, name: string): Error {
  const account = `${attributes.namespace}/${name}`;
  return refusal(attributes, `error looking up service account ${account}: serviceaccount ${quote(name)} not found`);
}

function inheritPullSecrets(spec: JsonObject, account: JsonObject): void {
  const inherited = arrayAt(account, 'imagePullSecrets');
  if (arrayAt(spec, 'imagePullSecrets').length === 0 && inherited.length > 0)
    spec['imagePullSecrets'] = clone(inherited);
}

/** A mirror of what a node runs by itself can be given nothing. */
function checkMirror(attributes: Attributes, pod: JsonObject): void {
  const spec = ensure(pod, 'spec');
  if (text(spec, 'serviceAccountName') !== '')
    throw refusal(attributes, 'a mirror pod may not reference service accounts');
  if (secretNames(spec).length > 0) throw refusal(attributes, 'a mirror pod may not reference secrets');
  const projected = items(spec, 'volumes').flatMap((volume) => items(ensure({ ...volume }, 'projected'), 'sources'));
  if (projected.some((source) => source['serviceAccountToken'] !== undefined))
    throw refusal(attributes, 'a mirror pod may not use ServiceAccountToken volume projections');
}
