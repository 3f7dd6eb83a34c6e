import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, flag, has, items, text, texts } from '#lib/machinery/unstructured.ts';
import { FieldPath } from '#lib/machinery/validation/field.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import { isValidLabelValue } from '#lib/machinery/validation/names.ts';
import { quantities } from '#lib/machinery/resource/quantities.ts';
import { isHugePages, pagesDivide } from '#lib/component-helpers/resource/resource-names.ts';
import type { PodValidationOptions } from './validation/options.ts';
import { podAffinityTerms, validateTermSelectors } from './validation/affinity.ts';
import { deletionCostError } from './validation/annotations.ts';
import { validateLabelKeys } from './validation/label-keys.ts';
import { localNonReservedPath } from './validation/paths.ts';
import { hostSysctl } from './validation/security-context.ts';
import { isSidecar } from '#lib/component-helpers/resource/sidecar.ts';
import { containersOf } from './validation/visit.ts';

/** `old` is the stored pod or template; undefined on create. */
export function podValidationOptions(old: JsonObject | undefined, resourceIsPod: boolean): PodValidationOptions {
  const spec = objectAt(old, 'spec') ?? {};
  return {
    resourceIsPod,
    allowInvalidDeletionCost: deletionCostError(at(old, 'metadata', 'annotations')) !== undefined,
    allowIndivisibleHugePages: hasIndivisibleHugePages(spec),
    allowInvalidSelectorValues: podAffinityTerms(spec).some(
      (term) => validateTermSelectors(term, ROOT, false).length > 0,
    ),
    allowInvalidNodeAffinityValues: hasInvalidNodeAffinityValue(spec),
    allowInvalidSpreadSelector: constraints(spec).some(
      (one) => validateLabelSelector(objectAt(one, 'labelSelector'), ROOT).length > 0,
    ),
    legacyMatchLabelKeys: constraints(spec).some((one) => validateLabelKeys(one, ROOT).length > 0),
    allowNonLocalTokenPath: tokenPaths(spec).some((path) => localNonReservedPath(path, ROOT).length > 0),
    allowNamespacedSysctls: sysctls(spec).some((name) => hostSysctl(name, spec, ROOT).length > 0),
    allowAnySELinuxChangePolicy: has(objectAt(spec, 'securityContext'), 'seLinuxChangePolicy'),
    allowComparisonTolerations: items(spec, 'tolerations').some((one) => ['Lt', 'Gt'].includes(text(one, 'operator'))),
    allowUserNamespacesWithDevices:
      ownUsers(spec) && containersOf(spec).some((one) => items(one, 'volumeDevices').length > 0),
    allowUserNamespacesHostNetwork: ownUsers(spec) && flag(spec, 'hostNetwork') === true,
    allowRestartContainerForInit: items(spec, 'initContainers').some(restartsOnResize),
  };
}

const ROOT = FieldPath.of();

const constraints = (spec: JsonObject): JsonObject[] => items(spec, 'topologySpreadConstraints');
const ownUsers = (spec: JsonObject): boolean => flag(spec, 'hostUsers') === false;
const sysctls = (spec: JsonObject): string[] =>
  items(objectAt(spec, 'securityContext'), 'sysctls').map((sysctl) => text(sysctl, 'name'));

function hasIndivisibleHugePages(spec: JsonObject): boolean {
  const lists = containersOf(spec).flatMap((container) => {
    const resources = objectAt(container, 'resources');
    return [...quantities(resources, 'limits'), ...quantities(resources, 'requests')];
  });
  return [...lists, ...quantities(spec, 'overhead')].some(
    ([name, value]) => isHugePages(name) && !pagesDivide(name, value),
  );
}

function hasInvalidNodeAffinityValue(spec: JsonObject): boolean {
  const selector = at(spec, 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
  const expressions = items(selector, 'nodeSelectorTerms').flatMap((term) => items(term, 'matchExpressions'));
  return expressions.flatMap((one) => texts(one, 'values')).some((value) => isValidLabelValue(value).length > 0);
}

function tokenPaths(spec: JsonObject): string[] {
  const sources = items(spec, 'volumes').flatMap((volume) => items(objectAt(volume, 'projected'), 'sources'));
  return sources.flatMap((source) => {
    const token = objectAt(source, 'serviceAccountToken');
    return token === undefined ? [] : [text(token, 'path')];
  });
}

function restartsOnResize(container: JsonObject): boolean {
  const policies = items(container, 'resizePolicy').map((policy) => text(policy, 'restartPolicy'));
  return !isSidecar(container) && policies.includes('RestartContainer');
}
