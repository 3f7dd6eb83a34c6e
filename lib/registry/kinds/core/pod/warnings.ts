import { ownField, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { FieldPath } from '#lib/machinery/validation/field.ts';
import { quote } from '#lib/machinery/go.ts';
import { at, count, has, integer, items, text, texts } from '#lib/machinery/unstructured.ts';
import { ipWarnings } from '../../shared/ip.ts';
import { fractionWarning } from '../../shared/persistent-volume-claim-spec.ts';
import { isWhole, quantities } from '#lib/machinery/resource/quantities.ts';
import { semanticEqual } from '../../shared/semantic.ts';
import { appArmorProfileOf, appArmorWarning } from './app-armor.ts';
import { APP_ARMOR_PREFIX, SECCOMP_CONTAINER_PREFIX, SECCOMP_POD } from './validation/annotations.ts';
import { visitContainers } from './validation/visit.ts';
import { envWarnings } from './warnings-env.ts';
import { nodeLabelWarnings, nullSelectorWarnings } from './warnings-affinity.ts';
import { portWarnings } from './warnings-ports.ts';
import { overlapWarnings } from './warnings-paths.ts';
import { volumeWarnings } from './warnings-volumes.ts';

export function generationOf(object: JsonObject): number {
  return Number(count(objectAt(object, 'metadata'), 'generation'));
}

/** Whether the update counted: only then upstream looks for warnings. */
export function generationChanged(object: JsonObject, old: JsonObject): boolean {
  return generationOf(object) !== generationOf(old);
}

/** Upstream's GetWarningsForPod. */
export function podWarnings(pod: JsonObject): string[] {
  return warningsOf(pod, FieldPath.of(), false);
}

/** Upstream's GetWarningsForPodTemplate; `path` is the template's. */
export function podTemplateWarnings(template: JsonObject | undefined, path: FieldPath): string[] {
  return template === undefined ? [] : warningsOf(template, path, true);
}

function warningsOf(object: JsonObject, path: FieldPath, isTemplate: boolean): string[] {
  const metadata = objectAt(object, 'metadata');
  const spec = objectAt(object, 'spec') ?? {};
  const annotations = objectAt(metadata, 'annotations') ?? {};
  const specPath = path.child('spec');
  const annotated = path.child('metadata', 'annotations');
  return [
    ...nodeLabelWarnings(spec, specPath),
    ...annotationWarnings(annotations, annotated),
    ...volumeWarnings(items(spec, 'volumes'), specPath.child('volumes')),
    ...overlapWarnings(items(spec, 'volumes')),
    ...duplicateWarnings(spec, specPath),
    ...fractions(objectAt(spec, 'overhead'), specPath.child('overhead')),
    ...podProfile(spec, annotations, annotated),
    ...visitContainers(spec, specPath, (container, where) => [
      ...profiles(container, { spec, annotations, path: annotated, isTemplate }),
      ...containerFractions(container, where),
      ...envWarnings(items(container, 'env'), where.child('env')),
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

function annotationWarnings(annotations: JsonObject, path: FieldPath): string[] {
  return Object.entries(DEPRECATED).flatMap(([key, message]) =>
    has(annotations, key) ? [`${path.key(key)}: ${message}`] : [],
  );
}

function duplicateWarnings(spec: JsonObject, path: FieldPath): string[] {
  const secrets = items(spec, 'imagePullSecrets');
  const where = path.child('imagePullSecrets');
  return [
    ...again(items(spec, 'hostAliases'), 'ip', path.child('hostAliases')),
    ...again(secrets, 'name', where),
    ...secrets.flatMap((secret, i) =>
      text(secret, 'name') === '' ? [`${where.index(i).child('name')}: invalid empty name ""`] : [],
    ),
  ];
}

function again(list: readonly JsonObject[], field: string, path: FieldPath): string[] {
  const seen = new Set<string>();
  return list.flatMap((item, i) => {
    const value = text(item, field);
    const found = seen.has(value);
    seen.add(value);
    return found ? [`${path.index(i).child(field)}: duplicate ${field} ${quote(value)}`] : [];
  });
}

const BYTES = ['memory', 'ephemeral-storage'];

function fractions(list: JsonObject | undefined, path: FieldPath): string[] {
  const amounts = new Map(quantities({ list: list ?? {} }, 'list'));
  return BYTES.flatMap((name) => {
    const value = amounts.get(name);
    return value === undefined || isWhole(value) ? [] : [fractionWarning(value, path.key(name))];
  });
}

function containerFractions(container: JsonObject, path: FieldPath): string[] {
  return ['limits', 'requests'].flatMap((list) =>
    fractions(at(container, 'resources', list), path.child('resources', list)),
  );
}

const SECCOMP = 'non-functional in v1.27+; use the "seccompProfile" field instead';

function podProfile(spec: JsonObject, annotations: JsonObject, path: FieldPath): string[] {
  if (has(objectAt(spec, 'securityContext'), 'seccompProfile') || !has(annotations, SECCOMP_POD)) return [];
  return [`${path.key(SECCOMP_POD)}: ${SECCOMP}`];
}

interface Profiled {
  readonly spec: JsonObject;
  readonly annotations: JsonObject;
  readonly path: FieldPath;
  readonly isTemplate: boolean;
}

function profiles(container: JsonObject, { spec, annotations, path, isTemplate }: Profiled): string[] {
  const context = objectAt(container, 'securityContext');
  const seccomp = `${SECCOMP_CONTAINER_PREFIX}${text(container, 'name')}`;
  const appArmor = `${APP_ARMOR_PREFIX}${text(container, 'name')}`;
  const annotation = ownField(annotations, appArmor);
  const profile = typeof annotation === 'string' ? appArmorProfileOf(annotation) : undefined;
  const pod = at(spec, 'securityContext', 'appArmorProfile');
  const differs = pod === undefined || !semanticEqual(pod, profile);
  const warnsAppArmor = typeof annotation === 'string' && !has(context, 'appArmorProfile') && differs;
  return [
    ...(!has(context, 'seccompProfile') && has(annotations, seccomp) ? [`${path.key(seccomp)}: ${SECCOMP}`] : []),
    // A pod's annotation has become a field by now, and was warned of then.
    ...(isTemplate && warnsAppArmor ? [appArmorWarning(path.key(appArmor))] : []),
  ];
}

function gracePeriod(spec: JsonObject, path: FieldPath): string[] {
  if ((integer(spec, 'terminationGracePeriodSeconds') ?? 0) >= 0) return [];
  const message = 'must be >= 0; negative values are invalid and will be treated as 1';
  return [`${path.child('terminationGracePeriodSeconds')}: ${message}`];
}

function addresses(spec: JsonObject, path: FieldPath): string[] {
  return [
    ...texts(objectAt(spec, 'dnsConfig'), 'nameservers').flatMap((address, i) =>
      ipWarnings(address, path.child('dnsConfig', 'nameservers').index(i)),
    ),
    ...items(spec, 'hostAliases').flatMap((alias, i) =>
      ipWarnings(text(alias, 'ip'), path.child('hostAliases').index(i).child('ip')),
    ),
  ];
}
