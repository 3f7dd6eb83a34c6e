import type { Container, EphemeralContainer, Pod, PodSpec, ServiceAccount, Volume } from '#lib/api/types/core.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import { refusal } from './refusal.ts';

const LISTS = [
  { field: 'initContainers', shown: 'init container' },
  { field: 'containers', shown: 'container' },
  { field: 'ephemeralContainers', shown: 'ephemeral container' },
] as const;

/** Throws 403 if the pod refers to a secret that its account does not list. */
export function refuseForeignSecrets(attributes: Attributes, account: ServiceAccount, { spec }: Pod): void {
  const allowed = new Set((account.secrets ?? []).map(({ name = '' }) => name));
  const debugging = attributes.subresource === 'ephemeralcontainers';
  const lists = LISTS.filter(({ field }) => (field === 'ephemeralContainers') === debugging);
  const found = [
    ...(debugging ? [] : (spec.volumes ?? []).flatMap((volume) => foreignVolume(volume, allowed))),
    ...lists.flatMap(({ field, shown }) =>
      (spec[field] ?? []).flatMap((container) => foreignVariable(container, shown, allowed)),
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

function foreignVolume({ secret }: Volume, allowed: ReadonlySet<string>): Foreign[] {
  const name = secret?.secretName ?? '';
  if (secret === undefined || allowed.has(name)) return [];
  return [{ what: `volume with secret.secretName="${name}"`, kind: 'secret' }];
}

function foreignVariable(
  { name: container, env = [], envFrom = [] }: Container | EphemeralContainer,
  shown: string,
  allowed: ReadonlySet<string>,
): Foreign[] {
  const who = `${shown} ${container}`;
  const refer = (source: { readonly name?: string } | undefined, how: string): Foreign[] => {
    const name = source?.name ?? '';
    if (source === undefined || allowed.has(name)) return [];
    return [{ what: `${who} with ${how} referencing secret.secretName="${name}"`, kind: 'secret' }];
  };
  return [
    ...env.flatMap(({ name, valueFrom }) => refer(valueFrom?.secretKeyRef, `envVar ${name}`)),
    ...envFrom.flatMap(({ secretRef }) => refer(secretRef, 'envFrom')),
  ];
}

function foreignPullSecrets({ imagePullSecrets = [] }: PodSpec, account: ServiceAccount): Foreign[] {
  const allowed = new Set((account.imagePullSecrets ?? []).map(({ name = '' }) => name));
  return imagePullSecrets.flatMap(({ name = '' }, index) =>
    allowed.has(name) ? [] : [{ what: `imagePullSecrets[${index}].name="${name}"`, kind: 'imagePullSecret' }],
  );
}
