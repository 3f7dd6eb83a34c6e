import type { Container, Pod, PodSpec, PodTemplateSpec, TopologySpreadConstraint } from '#lib/api/types/core.v1.ts';
import { isHugePages, pagesDivide } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { quantities } from '#lib/machinery/resource/quantities.ts';
import { FieldPath } from '#lib/machinery/validation/field.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import { isValidLabelValue } from '#lib/machinery/validation/names.ts';
import { podAffinityTerms, validateTermSelectors } from './validation/affinity.ts';
import { deletionCostError } from './validation/annotations.ts';
import { validateLabelKeys } from './validation/label-keys.ts';
import type { PodValidationOptions } from './validation/options.ts';
import { localNonReservedPath } from './validation/paths.ts';
import { hostSysctl } from './validation/security-context.ts';
import { containersOf } from './validation/visit.ts';

const EMPTY: PodSpec = { containers: null };

/**
 * Upstream's GetValidationOptionsFromPodSpecAndMeta: the rules that are relaxed because the stored object already violates them. `old` is
 * the stored pod or template, and undefined on create.
 */
export function podValidationOptions(
  old: Pod | PodTemplateSpec | undefined,
  resourceIsPod: boolean,
): PodValidationOptions {
  const spec = old?.spec ?? EMPTY;
  return {
    resourceIsPod,
    allowInvalidDeletionCost: deletionCostError(old?.metadata.annotations) !== undefined,
    allowIndivisibleHugePages: hasIndivisibleHugePages(spec),
    allowInvalidSelectorValues: podAffinityTerms(spec).some(
      (term) => validateTermSelectors(term, ROOT, false).length > 0,
    ),
    allowInvalidNodeAffinityValues: hasInvalidNodeAffinityValue(spec),
    allowInvalidSpreadSelector: constraints(spec).some(
      ({ labelSelector }) => validateLabelSelector(labelSelector, ROOT).length > 0,
    ),
    legacyMatchLabelKeys: constraints(spec).some((one) => validateLabelKeys(one, ROOT).length > 0),
    allowNonLocalTokenPath: tokenPaths(spec).some((path) => localNonReservedPath(path, ROOT).length > 0),
    allowNamespacedSysctls: sysctls(spec).some((name) => hostSysctl(name, spec, ROOT).length > 0),
    allowAnySELinuxChangePolicy: spec.securityContext?.seLinuxChangePolicy !== undefined,
    allowComparisonTolerations: (spec.tolerations ?? []).some(({ operator }) => operator === 'Lt' || operator === 'Gt'),
    allowUserNamespacesWithDevices:
      spec.hostUsers === false && containersOf(spec).some(({ volumeDevices = [] }) => volumeDevices.length > 0),
    allowUserNamespacesHostNetwork: spec.hostUsers === false && spec.hostNetwork === true,
    allowRestartContainerForInit: (spec.initContainers ?? []).some(restartsOnResize),
  };
}

const ROOT = FieldPath.of();

const constraints = (spec: PodSpec): TopologySpreadConstraint[] => spec.topologySpreadConstraints ?? [];
const sysctls = (spec: PodSpec): string[] => (spec.securityContext?.sysctls ?? []).map(({ name }) => name);

function hasIndivisibleHugePages(spec: PodSpec): boolean {
  const lists = containersOf(spec).flatMap(({ resources }) => [
    ...quantities(resources, 'limits'),
    ...quantities(resources, 'requests'),
  ]);
  return [...lists, ...quantities(spec, 'overhead')].some(
    ([name, value]) => isHugePages(name) && !pagesDivide(name, value),
  );
}

function hasInvalidNodeAffinityValue(spec: PodSpec): boolean {
  const selector = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const expressions = (selector?.nodeSelectorTerms ?? []).flatMap((term) => term.matchExpressions ?? []);
  return expressions.flatMap(({ values }) => values ?? []).some((value) => isValidLabelValue(value).length > 0);
}

function tokenPaths(spec: PodSpec): string[] {
  const sources = (spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  return sources.flatMap(({ serviceAccountToken: token }) => (token === undefined ? [] : [token.path]));
}

function restartsOnResize(container: Container): boolean {
  const policies = (container.resizePolicy ?? []).map(({ restartPolicy }) => restartPolicy);
  return !isSidecar(container) && policies.includes('RestartContainer');
}
