import type { Pod, PodSpec, PodTemplateSpec } from '#lib/api/types/core.v1.ts';
import { quote } from '#lib/machinery/go.ts';
import { type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import { generationOf } from '#lib/machinery/meta.ts';
import { isWhole } from '#lib/machinery/resource/quantities.ts';
import { FieldPath } from '#lib/machinery/validation/field.ts';
import { ipWarnings } from '../../shared/ip.ts';
import { fractionWarning } from '../../shared/persistent-volume-claim-spec.ts';
import { semanticEqual } from '../../shared/semantic.ts';
import { appArmorProfileOf, appArmorWarning } from './app-armor.ts';
import { APP_ARMOR_PREFIX, SECCOMP_CONTAINER_PREFIX, SECCOMP_POD } from './validation/annotations.ts';
import { type AnyContainer, visitContainers } from './validation/visit.ts';
import { nodeLabelWarnings, nullSelectorWarnings } from './warnings-affinity.ts';
import { envWarnings } from './warnings-env.ts';
import { overlapWarnings } from './warnings-paths.ts';
import { portWarnings } from './warnings-ports.ts';
import { volumeWarnings } from './warnings-volumes.ts';

/** Whether an update bumped the generation. Otherwise upstream skips the warnings. */
export function generationChanged(object: JsonObject, old: JsonObject): boolean {
  return generationOf(object) !== generationOf(old);
}

/** Upstream's GetWarningsForPod. */
export function podWarnings(pod: Pod): string[] {
  return warningsOf(pod, FieldPath.of(), false);
}

/** Upstream's GetWarningsForPodTemplate. `path` is the template's path. */
export function podTemplateWarnings(template: PodTemplateSpec | undefined, path: FieldPath): string[] {
  return template === undefined ? [] : warningsOf(template, path, true);
}

function warningsOf({ metadata, spec }: Pod | PodTemplateSpec, path: FieldPath, isTemplate: boolean): string[] {
  const { annotations = {} } = metadata;
  const specPath = path.child('spec');
  const annotated = path.child('metadata', 'annotations');
  return [
    ...nodeLabelWarnings(spec, specPath),
    ...annotationWarnings(annotations, annotated),
    ...volumeWarnings(spec.volumes ?? [], specPath.child('volumes')),
    ...overlapWarnings(spec.volumes ?? []),
    ...duplicateWarnings(spec, specPath),
    ...fractions(spec.overhead, specPath.child('overhead')),
    ...podProfile(spec, annotations, annotated),
    ...visitContainers(spec, specPath, (container, where) => [
      ...profiles(container, { spec, annotations, path: annotated, isTemplate }),
      ...containerFractions(container, where),
      ...envWarnings(container.env ?? [], where.child('env')),
    ]),
    ...portWarnings(spec, specPath),
    ...gracePeriod(spec, specPath),
    ...nullSelectorWarnings(spec, specPath),
    ...addresses(spec, specPath),
  ];
}

const DEPRECATED: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};

type Annotations = Readonly<Record<string, string>>;

function annotationWarnings(annotations: Annotations, path: FieldPath): string[] {
  return Object.entries(DEPRECATED).flatMap(([key, message]) =>
    ownField(annotations, key) === undefined ? [] : [`${path.key(key)}: ${message}`],
  );
}

function duplicateWarnings({ hostAliases = [], imagePullSecrets = [] }: PodSpec, path: FieldPath): string[] {
  const ips = hostAliases.map(({ ip }) => ip);
  const secrets = imagePullSecrets.map(({ name = '' }) => name);
  const where = path.child('imagePullSecrets');
  return [
    ...again(ips, 'ip', path.child('hostAliases')),
    ...again(secrets, 'name', where),
    ...secrets.flatMap((secret, i) =>
      secret === '' ? [`${where.index(i).child('name')}: invalid empty name ""`] : [],
    ),
  ];
}

function again(values: readonly string[], field: string, path: FieldPath): string[] {
  const seen = new Set<string>();
  return values.flatMap((value, i) => {
    const found = seen.has(value);
    seen.add(value);
    return found ? [`${path.index(i).child(field)}: duplicate ${field} ${quote(value)}`] : [];
  });
}

const BYTES = ['memory', 'ephemeral-storage'];

function fractions(list: Readonly<Record<string, string>> | undefined, path: FieldPath): string[] {
  return BYTES.flatMap((name) => {
    const value = ownField(list, name);
    return value === undefined || isWhole(value) ? [] : [fractionWarning(value, path.key(name))];
  });
}

function containerFractions({ resources }: AnyContainer, path: FieldPath): string[] {
  return (['limits', 'requests'] as const).flatMap((list) => fractions(resources[list], path.child('resources', list)));
}

const SECCOMP = 'non-functional in v1.27+; use the "seccompProfile" field instead';

function podProfile(spec: PodSpec, annotations: Annotations, path: FieldPath): string[] {
  const isSet = spec.securityContext?.seccompProfile !== undefined;
  return isSet || ownField(annotations, SECCOMP_POD) === undefined ? [] : [`${path.key(SECCOMP_POD)}: ${SECCOMP}`];
}

interface Profiled {
  readonly spec: PodSpec;
  readonly annotations: Annotations;
  readonly path: FieldPath;
  readonly isTemplate: boolean;
}

function profiles(container: AnyContainer, { spec, annotations, path, isTemplate }: Profiled): string[] {
  const context = container.securityContext;
  const seccomp = `${SECCOMP_CONTAINER_PREFIX}${container.name}`;
  const appArmor = `${APP_ARMOR_PREFIX}${container.name}`;
  const annotation = ownField(annotations, appArmor);
  const profile = annotation === undefined ? undefined : appArmorProfileOf(annotation);
  const pod = spec.securityContext?.appArmorProfile;
  const differs = pod === undefined || !semanticEqual(pod, profile);
  const warnsAppArmor = annotation !== undefined && context?.appArmorProfile === undefined && differs;
  const warnsSeccomp = context?.seccompProfile === undefined && ownField(annotations, seccomp) !== undefined;
  return [
    ...(warnsSeccomp ? [`${path.key(seccomp)}: ${SECCOMP}`] : []),
    // In pods, `syncAppArmor` already copied the annotation to a field and warned about it.
    ...(isTemplate && warnsAppArmor ? [appArmorWarning(path.key(appArmor))] : []),
  ];
}

function gracePeriod(spec: PodSpec, path: FieldPath): string[] {
  if ((spec.terminationGracePeriodSeconds ?? 0) >= 0) return [];
  const message = 'must be >= 0; negative values are invalid and will be treated as 1';
  return [`${path.child('terminationGracePeriodSeconds')}: ${message}`];
}

function addresses(spec: PodSpec, path: FieldPath): string[] {
  return [
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((address, i) =>
      ipWarnings(address, path.child('dnsConfig', 'nameservers').index(i)),
    ),
    ...(spec.hostAliases ?? []).flatMap(({ ip }, i) => ipWarnings(ip, path.child('hostAliases').index(i).child('ip'))),
  ];
}
