import type { IPAddress } from '#lib/api/types/networking.v1.ts';
import { type FieldError, FieldPath, required } from '#lib/machinery/validation/field.ts';
import { isValidIP } from '#lib/machinery/validation/ip.ts';
import { isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { pathSegmentName } from '#lib/machinery/validation/path-segment.ts';
import type { KindStrategy } from '../../strategy.ts';
import { immutable } from '../shared/semantic.ts';
import { checked } from '../shared/validate.ts';
import { pathSegment } from './backend.ts';

const SPEC = FieldPath.of('spec');
const PARENT = SPEC.child('parentRef');

/** An address has one parent with a resource and a name. Services belong to the empty group. */
function validate(address: IPAddress): FieldError[] {
  const parent = address.spec.parentRef;
  if (parent === undefined) return [required(PARENT)];
  const [group, namespace] = [parent.group ?? '', parent.namespace ?? ''];
  return [
    ...(group === '' ? [] : checked(group, PARENT.child('group'), isDNS1123Subdomain)),
    ...pathSegment(parent, 'resource', PARENT),
    ...pathSegment(parent, 'name', PARENT),
    ...(namespace === ''
      ? []
      : checked(namespace, PARENT.child('namespace'), (value) => pathSegmentName(value, false))),
  ];
}

/** Upstream's pkg/registry/networking/ipaddress. The name is the address in canonical form. */
export const ipAddressStrategy: KindStrategy<IPAddress> = {
  validateName: (name) => isValidIP(SPEC, name).map(({ detail }) => detail),
  validate,
  validateUpdate: (address, old) => [
    ...validate(address),
    ...immutable(address.spec, old.spec, 'parentRef', SPEC, 'networking.v1.IPAddressSpec'),
  ],
};
