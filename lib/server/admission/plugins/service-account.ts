import type { Pod, PodSpec, ServiceAccount } from '#lib/api/types/core.v1.ts';
import { PODS, SERVICE_ACCOUNTS } from '#lib/api/types/resources.ts';
import { isMirrorPod } from '#lib/helpers/component-helpers/pod/mirror.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { quote } from '#lib/machinery/go.ts';
import { clone } from '#lib/machinery/json-value.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import { secretNames } from '#lib/server/registry/kinds/core/pod/secret-names.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout, refusal } from '../refusal.ts';
import { refuseForeignSecrets } from '../secret-references.ts';
import { mountToken } from '../token-volume.ts';

const DEFAULT = 'default';
const ENFORCE = 'kubernetes.io/enforce-mountable-secrets';

/**
 * The number of attempts to find a namespace's default account, and the pause in ms between them. The account is created shortly after the
 * namespace.
 */
const ATTEMPTS = 10;
const PAUSE = 150;

/** Assigns a service account of its namespace to every pod, with the account's token and pull secrets. */
export function serviceAccount(lookup: Lookup, clock: Clock): AdmissionPlugin {
  const accountOf = async (attributes: Attributes, name: string): Promise<ServiceAccount> => {
    const place = { ...SERVICE_ACCOUNTS, namespace: attributes.namespace };
    for (let left = name === DEFAULT ? ATTEMPTS : 1; ; ) {
      const account = await lookup.find(place, name);
      if (account !== undefined) return account;
      if (--left === 0) throw absent(attributes, name);
      await clock.sleep(PAUSE);
    }
  };
  const check = async (attributes: Attributes, pod: Pod): Promise<void> => {
    if (isMirrorPod(pod)) return checkMirror(attributes, pod);
    const name = pod.spec.serviceAccountName ?? '';
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
      if (isMirrorPod(pod)) return checkMirror(attributes, pod);
      const { spec } = pod;
      const name = spec.serviceAccountName || DEFAULT;
      spec.serviceAccountName = name;
      spec.serviceAccount = name;
      const account = await accountOf(attributes, name);
      if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) mountToken(spec);
      inheritPullSecrets(spec, account);
    },
    async validate(attributes) {
      const pod = createdPod(attributes) ?? debuggedPod(attributes);
      if (pod !== undefined) await check(attributes, pod);
    },
  };
}

const createdPod = (attributes: Attributes): Pod | undefined =>
  attributes.operation === 'CREATE' && isAbout(attributes, PODS) ? attributes.object : undefined;

const debuggedPod = (attributes: Attributes): Pod | undefined =>
  attributes.operation === 'UPDATE' && isAbout(attributes, PODS, 'ephemeralcontainers') ? attributes.object : undefined;

const isTrue = (value: string | undefined): boolean => ['1', 't', 'T', 'TRUE', 'true', 'True'].includes(value ?? '');

function absent(attributes: Attributes, name: string): Error {
  const account = `${attributes.namespace}/${name}`;
  return refusal(attributes, `error looking up service account ${account}: serviceaccount ${quote(name)} not found`);
}

function inheritPullSecrets(spec: PodSpec, { imagePullSecrets = [] }: ServiceAccount): void {
  if ((spec.imagePullSecrets ?? []).length === 0 && imagePullSecrets.length > 0)
    spec.imagePullSecrets = clone(imagePullSecrets);
}

/** Rejects a mirror pod of a static pod that refers to API objects, like upstream's admission of mirror pods. */
function checkMirror(attributes: Attributes, { spec }: Pod): void {
  if ((spec.serviceAccountName ?? '') !== '')
    throw refusal(attributes, 'a mirror pod may not reference service accounts');
  if (secretNames(spec).length > 0) throw refusal(attributes, 'a mirror pod may not reference secrets');
  const sources = (spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  if (sources.some(({ serviceAccountToken }) => serviceAccountToken !== undefined))
    throw refusal(attributes, 'a mirror pod may not use ServiceAccountToken volume projections');
}
