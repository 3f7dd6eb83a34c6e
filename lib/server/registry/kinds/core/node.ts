import type { Node } from '#lib/api/types/core.v1.ts';
import { validateResourceValue } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { quote } from '#lib/machinery/go.ts';
import { clone } from '#lib/machinery/json-value.ts';
import { parseCIDRSloppy } from '#lib/machinery/net/parse-prefix.ts';
import { roundResources } from '#lib/machinery/resource/quantities.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import {
  duplicate,
  type FieldError,
  FieldPath,
  fieldFault,
  forbidden,
  invalid,
} from '#lib/machinery/validation/field.ts';
import { isValidCIDRForLegacyField } from '#lib/machinery/validation/ip.ts';
import { maxLength } from '#lib/machinery/validation/messages.ts';
import type { KindStrategy } from '../../strategy.ts';
import { cidrWarnings } from '../shared/cidr-warnings.ts';
import { keepField } from '../shared/status.ts';
import { each, NOT_POSITIVE } from '../shared/validate.ts';
import { validateConfigSource, validateConfigStatus } from './node-config.ts';
import { validateTaints } from './taints.ts';

const METADATA = FieldPath.of('metadata');
const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');
const CIDRS = SPEC.child('podCIDRs');

/** Sets `podCIDR` to the first of `podCIDRs`, like upstream's conversion. Clients that support only one IP family read it. */
function setDefaults(node: Node): void {
  const { spec, status } = node;
  const single = spec.podCIDR ?? '';
  const list = spec.podCIDRs ?? [];
  if (single !== '' && single !== list[0]) spec.podCIDRs = [single];
  else if (list.length > 0) spec.podCIDR = list[0] ?? '';
  roundResources(status, 'capacity', 'allocatable');
  const capacity = status.capacity;
  if (capacity !== undefined) status.allocatable ??= clone(capacity);
}

function resourceErrors(node: Node): FieldError[] {
  return (['capacity', 'allocatable'] as const).flatMap((list) =>
    sortedEntries(node.status[list]).flatMap(([name, value]) =>
      validateResourceValue(name, value, STATUS.child(list, name)),
    ),
  );
}

const FEATURE = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/;
const MAX_FEATURE = 253;

function featureErrors(node: Node): FieldError[] {
  const features = node.status.declaredFeatures ?? [];
  const path = STATUS.child('declaredFeatures');
  return features.flatMap((feature, i) => {
    const next = features[i + 1];
    const errors = featureName(feature).map((message) => invalid(path.index(i), feature, message));
    if (next === undefined || next > feature) return errors;
    const where = path.index(i + 1);
    return [
      ...errors,
      next === feature ? duplicate(where, next) : invalid(where, next, 'list must be sorted alphabetically'),
    ];
  });
}

function featureName(name: string): string[] {
  if (name.length > MAX_FEATURE) return [`invalid feature name ${quote(name)}: ${maxLength(MAX_FEATURE)}`];
  if (FEATURE.test(name)) return [];
  const form = "must start with an UpperCamelCase segment, with subsequent segments separated by '/'";
  return [
    `invalid feature name ${quote(name)}: ${form} (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`,
  ];
}

function validate(node: Node): FieldError[] {
  const spec = node.spec;
  const swap = node.status.nodeInfo.swap;
  const capacity = swap?.capacity;
  return [
    ...validateTaints(spec.taints ?? [], METADATA.child('taints')),
    ...resourceErrors(node),
    ...(capacity !== undefined && capacity <= 0
      ? [invalid(METADATA.child('nodeSwapStatus', 'capacity'), capacity, NOT_POSITIVE)]
      : []),
    ...featureErrors(node),
    ...cidrErrors(spec.podCIDRs ?? []),
  ];
}

function cidrErrors(cidrs: readonly string[]): FieldError[] {
  const errors = each(cidrs, CIDRS, (cidr, path) => isValidCIDRForLegacyField(path, cidr, true));
  const families = new Set(cidrs.map((cidr) => parseCIDRSloppy(cidr)?.addr.family));
  if (cidrs.length < 2) return errors;
  const unreadable = cidrs.findIndex((cidr) => parseCIDRSloppy(cidr) === undefined);
  if (unreadable >= 0) {
    const why = `invalid CIDR[${unreadable}]: <nil> (invalid CIDR address: ${cidrs[unreadable]})`;
    errors.push(fieldFault(CIDRS, `invalid PodCIDRs. failed to check with dual stack with error:${why}`));
  } else if (cidrs.length === 2 && families.size === 2) return errors;
  return [...errors, invalid(CIDRS, cidrs, 'may specify no more than one CIDR for each IP family')];
}

/** Upstream's ValidateNodeUpdate: pod CIDRs and the provider ID can be set only once. */
function validateChange(node: Node, old: Node): FieldError[] {
  const [spec, before] = [node.spec, old.spec];
  const source = spec.configSource;
  const external = (spec.externalID ?? '') === (before.externalID ?? '');
  return [
    ...resourceErrors(node),
    ...featureErrors(node),
    ...addressErrors(node),
    ...cidrsKept(spec.podCIDRs ?? [], before.podCIDRs ?? []),
    ...providerKept(spec.providerID ?? '', before.providerID ?? ''),
    ...(source === undefined ? [] : validateConfigSource(source, SPEC.child('configSource'))),
    ...validateConfigStatus(node.status.config, STATUS.child('config')),
    ...validateTaints(spec.taints ?? [], METADATA.child('taints')),
    ...(external ? [] : [forbidden(SPEC.child('externalID'), 'may not be updated')]),
  ];
}

function addressErrors(node: Node): FieldError[] {
  const seen = new Set<string>();
  return each(node.status.addresses ?? [], STATUS.child('addresses'), (address, path) => {
    const [type, value] = [address.type, address.address];
    const key = `${type}/${value}`;
    const shown = new Map([
      ['Type', type],
      ['Address', value],
    ]);
    if (seen.has(key)) return [duplicate(path, shown)];
    seen.add(key);
    return [];
  });
}

const setOnce = (path: FieldPath, what: string): FieldError =>
  forbidden(path, `node updates may not change ${what} except from "" to valid`);

function cidrsKept(cidrs: readonly string[], before: readonly string[]): FieldError[] {
  if (before.length === 0) return [];
  if (cidrs.length !== before.length) return [setOnce(CIDRS, 'podCIDR')];
  return before.filter((cidr, i) => cidr !== cidrs[i]).map(() => setOnce(CIDRS, 'podCIDR'));
}

function providerKept(provider: string, before: string): FieldError[] {
  return before === '' || provider === before ? [] : [setOnce(SPEC.child('providerID'), 'providerID')];
}

function warnings(node: Node): string[] {
  const spec = node.spec;
  return [
    ...(spec.configSource !== undefined ? ['spec.configSource: the feature is removed'] : []),
    ...((spec.externalID ?? '') === ''
      ? []
      : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
    ...(spec.podCIDRs ?? []).flatMap((cidr, i) => cidrWarnings(cidr, CIDRS.index(i))),
  ];
}

/** Upstream's pkg/registry/core/node. Taints in annotations are obsolete and not validated. */
export const nodeStrategy: KindStrategy<Node> = {
  hasGeneration: false,
  default: setDefaults,
  prepareForCreate(node) {
    delete node.spec.configSource;
    delete node.status.config;
  },
  prepareForUpdate(node, old) {
    keepField(node, old, 'status');
    if (old.spec.configSource === undefined) delete node.spec.configSource;
  },
  validate,
  validateUpdate: (node, old) => [...validate(node), ...validateChange(node, old)],
  warnings,
  selectableFields: (node) => ({
    'spec.unschedulable': String(node.spec.unschedulable ?? false),
  }),
  subresources: {
    status: {
      prepareForUpdate(node, old) {
        keepField(node, old, 'spec');
        if (old.status.config === undefined) delete node.status.config;
      },
      validateUpdate: validateChange,
    },
  },
};
