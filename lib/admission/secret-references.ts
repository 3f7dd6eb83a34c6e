import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { at, ensure, items, text } from '#lib/machinery/unstructured.ts';
import type { Attributes } from '#lib/registry/admission.ts';
import { refusal } from './refusal.ts';

const LISTS = [
  { field: 'initContainers', shown: 'init container' },
  { field: 'containers', shown: 'container' },
  { field: 'ephemeralContainers', shown: 'ephemeral container' },
];

/** Throws 403 where the pod reads a secret that its account does not list. */
export function refuseForeignSecrets(attributes: Attributes, account: JsonObject, pod: JsonObject): void {
  const spec = ensure(pod, 'spec');
  const allowed = new Set(items(account, 'secrets').map((reference) => text(reference, 'name')));
  const debugging = attributes.subresource === 'ephemeralcontainers';
  const lists = LISTS.filter(({ field }) => (field === 'ephemeralContainers') === debugging);
  const found = [
    ...(debugging ? [] : items(spec, 'volumes').flatMap((volume) => foreignVolume(volume, allowed))),
    ...lists.flatMap(({ field, shown }) =>
      items(spec, field).flatMap((container) => foreignVariable(container, shown, allowed)),
    ),
    ...(debugging ? [] : foreignPullSecrets(spec, account)),
  ];
  if (found[0] === undefined) return;
  const { what, kind } = found[0];
  const why = `${what} is not allowed because service account ${nameOf(account)} does not reference that ${kind}`;
  throw refusal(attributes, why);
}

interface Foreign {
  readonly what: string;
  readonly kind: 'secret' | 'imagePullSecret';
}

function foreignVolume(volume: JsonObject, allowed: ReadonlySet<string>): Foreign[] {
  const source = at(volume, 'secret');
  const name = text(source, 'secretName');
  if (source === undefined || allowed.has(name)) return [];
  return [{ what: `volume with secret.secretName="${name}"`, kind: 'secret' }];
}

function foreignVariable(container: JsonObject, shown: string, allowed: ReadonlySet<string>): Foreign[] {
  const who = `${shown} ${text(container, 'name')}`;
  const refer = (source: JsonObject | undefined, how: string): Foreign[] => {
    const name = text(source, 'name');
    if (source === undefined || allowed.has(name)) return [];
    return [{ what: `${who} with ${how} referencing secret.secretName="${name}"`, kind: 'secret' }];
  };
  return [
    ...items(container, 'env').flatMap((env) =>
      refer(at(env, 'valueFrom', 'secretKeyRef'), `envVar ${text(env, 'name')}`),
    ),
    ...items(container, 'envFrom').flatMap((source) => refer(at(source, 'secretRef'), 'envFrom')),
  ];
}

function foreignPullSecrets(spec: JsonObject, account: JsonObject): Foreign[] {
  const allowed = new Set(items(account, 'imagePullSecrets').map((reference) => text(reference, 'name')));
  return items(spec, 'imagePullSecrets').flatMap((reference, index) => {
    const name = text(reference, 'name');
    return allowed.has(name) ? [] : [{ what: `imagePullSecrets[${index}].name="${name}"`, kind: 'imagePullSecret' }];
  });
}
